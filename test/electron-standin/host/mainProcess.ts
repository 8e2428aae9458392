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

/**
 * Chromium installs its own handlers of these signals before the application is ready (InstallShutdownSignalHandlers), over
 * those of libuv, which installs its own again with the first listener that JavaScript adds.
 */
export function takeSignals(quit: () => void): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    const listeners = process.listeners(signal);
    let isTaken = true;
    process.removeAllListeners(signal);
    const guarded = listeners.map((listener) => (...args: [NodeJS.Signals, number]) => {
      // Emitted by the program, or no longer Chromium's.
      if (!isTaken || args.length < 2) (listener as (...all: unknown[]) => void)(...args);
    });
    for (const listener of guarded) process.on(signal, listener);
    const own = (_: NodeJS.Signals, code?: number): void => {
      if (isTaken && code !== undefined) quit();
    };
    process.on(signal, own);
    process.on("removeListener", (name: string | symbol) => {
      if (name === signal && process.listenerCount(signal) === 0) isTaken = false;
    });
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
