import { connect } from "node:net";
import { dialog } from "./dialog.ts";

/** Exit code of a program that Chromium aborts with LOG(FATAL): SIGTRAP. */
export const FATAL_CODE = 133;

/** The differences between Electron's main process and a process of Node. */
export function behaveLikeMainProcess(): void {
  // The message loop of Chromium has no end: a program that does not exit stays.
  setInterval(() => {}, 2 ** 30);
  // lib/browser/init.ts: without another listener, an error is shown and the program stays.
  process.on("uncaughtException", (error) => {
    if (process.listenerCount("uncaughtException") > 1) return;
    dialog.showErrorBox(
      "A JavaScript error occurred in the main process",
      `Uncaught Exception:\n${error.stack ?? error.message}`,
    );
  });
}

const SHUTDOWN_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Chromium installs its own handlers of these signals before the application is ready (InstallShutdownSignalHandlers), over
 * those of libuv, which installs its own again with the first listener that JavaScript adds. Listeners that were added
 * before are called only by the program itself.
 */
export function takeSignals(quit: () => void): void {
  for (const signal of SHUTDOWN_SIGNALS) {
    const earlier = process.listeners(signal);
    const chromium = (_: NodeJS.Signals, code?: number): void => (code === undefined ? undefined : quit());
    process.on(signal, chromium);
    for (const listener of earlier) {
      process.off(signal, listener);
      process.on(signal, (name, code?: number) => (code === undefined ? listener(name) : undefined));
    }
    if (earlier.length > 0) continue;
    const giveBack = (name: string | symbol): void => {
      if (name !== signal) return;
      process.off("newListener", giveBack);
      // Later, because a signal without a listener ends the program.
      queueMicrotask(() => process.off(signal, chromium));
    };
    process.on("newListener", giveBack);
  }
}

/**
 * Connects to the bus of the session, whose address the program can change before the application is ready.
 * dbus::Bus::OnConnectionDisconnectedFilter aborts the program when the bus ends.
 */
export function followSessionBus(): void {
  const [, path] = /^unix:path=([^,;]+)/.exec(process.env["DBUS_SESSION_BUS_ADDRESS"] ?? "") ?? [];
  if (path === undefined) return;
  const bus = connect(path).unref();
  // There is no bus.
  bus.on("error", () => {});
  bus.on("connect", () =>
    bus.on("close", () => {
      console.error("FATAL:dbus/bus.cc: D-Bus connection was disconnected. Aborting.");
      process.exit(FATAL_CODE);
    }),
  );
  bus.resume();
}
