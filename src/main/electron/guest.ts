import { join } from "node:path";
import { app, MessageChannelMain, type MessagePortMain, utilityProcess } from "electron";
import { useGuestStarter } from "../app/files/guest/start.ts";
import { electronPort, laterGuest } from "./guestPort.ts";

/**
 * Starts a process that reads files of others, without environment, and returns the port to it. It ends when the port is
 * closed.
 *
 * @param bundles the folder of the bundles
 */
export function forkGuest(bundles: string): MessagePortMain {
  const child = utilityProcess.fork(join(bundles, "guest.js"), [], {
    serviceName: "Zenith Desk file reader",
    env: {},
    stdio: "ignore",
    // A small young generation, because streamed buffers die at once.
    execArgv: ["--js-flags=--max-semi-space-size=2"],
  });
  const { port1, port2 } = new MessageChannelMain();
  // Without a listener, an error would end this process. The port is closed with the process.
  child.on("error", () => {});
  child.postMessage(null, [port1]);
  return port2;
}

/** Lets the command line, which runs in the main process, read files in such a process. */
export function useForkedGuests(bundles: string): void {
  useGuestStarter((listener) =>
    laterGuest(
      app.whenReady().then(() => electronPort(forkGuest(bundles))),
      listener,
    ),
  );
}
