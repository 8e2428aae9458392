import { create } from "zustand";
import { messageOf } from "#shared/thrown.ts";
import { FILES_CONNECTION_ID } from "#shared/connection.ts";
import { bridge } from "../../bridge/index.ts";
import {
  followConnections,
  loadConnections,
  openConnection,
  reopenConnection,
  useConnection,
} from "../../stores/connection.ts";
import { followDamage } from "../../stores/damage.ts";
import { followSettings, loadSettings, useSettings } from "../../stores/settings.ts";
import { showToast } from "../../stores/toasts.ts";
import { followWork } from "../../stores/work.ts";
import { showKeptFiles } from "../files/alone.ts";
import { followRecovery, lookForRecovery } from "../recovery/store.ts";
import { followReadAhead } from "../series/readAhead.ts";
import { followTrims } from "../storage/trims.ts";

/** Whether it is known what the window shows first. */
export const useOpening = create<{ readonly isReady: boolean }>(() => ({ isReady: false }));

/** Loads what the window needs, and goes on with the connection that was shown last. */
export async function open(): Promise<void> {
  followFailures();
  followConnections();
  followSettings();
  followReadAhead();
  followTrims();
  followDamage();
  followRecovery();
  bridge.on("engineRestarted", ({ reason }) => void goOn(reason));
  void followWork();
  await Promise.all([loadSettings(), loadConnections()]);
  if (useConnection.getState().fault?.kind === "disk" && (await lookForRecovery())) return;
  const { lastConnectionId } = useSettings.getState().settings;
  if (lastConnectionId === FILES_CONNECTION_ID) await showKeptFiles();
  const isKnown = useConnection.getState().all?.some((c) => c.id === lastConnectionId);
  if (lastConnectionId !== null && isKnown) await openConnection(lastConnectionId);
  useOpening.setState({ isReady: true });
}

/** After the core was started again what the window knows may be of yesterday. */
async function goOn(reason: string): Promise<void> {
  const why = reason.replace(/[.\s]+$/, "");
  showToast(`The engine was restarted (${why}). No data were lost; downloads continue.`);
  await Promise.all([loadSettings(), reopenConnection()]);
}

/** Chromium's word for a layout that settled a frame later: nothing failed. */
const HARMLESS = /ResizeObserver loop/;

/** What fails outside of drawing ends no screen, but is never silent. */
function followFailures(): void {
  addEventListener("error", ({ message }) => tell(message));
  addEventListener("unhandledrejection", ({ reason }) => tell(messageOf(reason)));
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
