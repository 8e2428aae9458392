import type { MessagePortMain } from "electron";
import { type GuestPort, portGuest } from "../app/files/guest/port.ts";
import type { ToGuest } from "../app/files/guest/protocol.ts";
import type { GuestListener, GuestProcess } from "../app/files/guest/start.ts";

/** Adapts an Electron port, whose messages are events. */
export function electronPort(port: MessagePortMain): GuestPort {
  port.start();
  return {
    on: (type: "message" | "close", listener: (message?: unknown) => void) =>
      type === "close" ? port.on("close", () => listener()) : port.on("message", ({ data }) => listener(data)),
    postMessage: (message) => port.postMessage(message),
    close: () => port.close(),
  };
}

/** A guest whose port is not there yet. */
export function laterGuest(port: Promise<GuestPort>, listener: GuestListener): GuestProcess {
  const guest = port.then((found) => portGuest(found, listener));
  guest.catch((thrown: unknown) => listener.gone(String(thrown)));
  const use = (act: (started: GuestProcess) => void): void => void guest.then(act, () => {});
  return {
    post: (message: ToGuest) => use((started) => started.post(message)),
    setWaited() {},
    kill: () => use((started) => started.kill()),
  };
}
