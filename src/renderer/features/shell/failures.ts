import { bridge } from "../../bridge/index.ts";
import { showToast } from "../../stores/toasts.ts";

/** Chromium's word for a layout that settled a frame later: nothing failed. */
const HARMLESS = /ResizeObserver loop/;

/** What fails outside of drawing ends no screen, but is never silent. */
export function followFailures(): void {
  addEventListener("error", ({ message }) => tell(message));
  addEventListener("unhandledrejection", ({ reason }) =>
    tell(reason instanceof Error ? reason.message : String(reason)),
  );
}

function tell(message: string): void {
  if (HARMLESS.test(message)) return;
  void bridge.log.report({ text: message.slice(0, 5_000) || "something without a message" });
  showToast(
    `Something went wrong in this window (${message}). Your data are safe. Reload the window if the problem persists.`,
    { label: "Reload", run: () => location.reload() },
    "fault",
  );
}
