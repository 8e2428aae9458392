import { create } from "zustand";
import { messageOf } from "#shared/fault.ts";
import { FILES_CONNECTION_ID } from "#shared/connection.ts";
import { bridge } from "../../bridge/index.ts";
import {
  followConnections,
  loadConnections,
  lastConnectionId,
  openConnection,
  reopenConnection,
  useConnection,
} from "../../stores/connection.ts";
import { followDamage } from "../../stores/damage.ts";
import { followSettings, loadSettings } from "../../stores/settings.ts";
import { showToast } from "../../stores/toasts.ts";
import { followWork } from "../../stores/work.ts";
import { followWorkspace } from "../../stores/workspace.ts";
import { showKeptFiles } from "../files/store.ts";
import { followRecovery, lookForRecovery } from "../recovery/store.ts";
import { followTrims } from "../storage/findings.ts";

/** Whether the window knows its first content. */
export const useOpening = create<{ readonly isReady: boolean }>(() => ({ isReady: false }));

/** Loads settings and connections, and opens the connection that was open last. */
export async function openLast(): Promise<void> {
  followFailures();
  followWorkspace();
  followConnections();
  followSettings();
  followTrims();
  followDamage();
  followRecovery();
  bridge.on("coreRestarted", ({ reason }) => void reloadAfterRestart(reason));
  void followWork();
  await Promise.all([loadSettings(), loadConnections()]);
  if (useConnection.getState().fault?.kind === "disk" && (await lookForRecovery())) return;
  const lastId = lastConnectionId();
  if (lastId === FILES_CONNECTION_ID) await showKeptFiles();
  const isKnown = useConnection.getState().all?.some((c) => c.id === lastId);
  if (lastId !== null && isKnown) await openConnection(lastId);
  useOpening.setState({ isReady: true });
}

/** After a restart of the core the window's state may be outdated. */
async function reloadAfterRestart(reason: string): Promise<void> {
  const why = reason.replace(/[.\s]+$/, "");
  showToast(`The core was restarted (${why}). No data were lost; downloads continue.`);
  await Promise.all([loadSettings(), reopenConnection()]);
}

/** Chromium reports this when a layout settles a frame later: it is not an error. */
const HARMLESS = /ResizeObserver loop/;

/** Reports errors outside of rendering, which the error boundary does not catch. */
function followFailures(): void {
  addEventListener("error", ({ message }) => reportError(message));
  addEventListener("unhandledrejection", ({ reason }) => reportError(messageOf(reason)));
}

function reportError(message: string): void {
  if (HARMLESS.test(message)) return;
  void bridge.log.report({ text: message.slice(0, 5_000) || "error without a message" });
  showToast(
    `Something went wrong in this window (${message}). Your data are safe. Reload the window if the problem persists.`,
    { label: "Reload", run: () => location.reload() },
    "fault",
  );
}
