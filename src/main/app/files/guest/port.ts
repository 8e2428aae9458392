import type { FromGuest, ToGuest } from "./protocol.ts";
import { type GuestListener, type GuestProcess, startGuest } from "./start.ts";

/** A port of Node or Electron. A guest behind it ends when it is closed. */
export interface GuestPort {
  on(type: "message", listener: (message: unknown) => void): unknown;
  on(type: "close", listener: () => void): unknown;
  postMessage(message: unknown): void;
  close(): void;
  ref?(): void;
  unref?(): void;
}

/** The guest at the other end of a port. */
export function portGuest(port: GuestPort, listener: GuestListener): GuestProcess {
  port.on("message", (message) => listener.message(message as FromGuest));
  port.on("close", () => listener.gone("its port was closed"));
  return {
    post: (message) => port.postMessage(message),
    setWaited(isWaited) {
      if (isWaited) port.ref?.();
      else port.unref?.();
    },
    kill: () => port.close(),
  };
}

/** Starts a guest and joins it to a port, for another thread. */
export function joinGuest(port: GuestPort): void {
  const guest = startGuest({ message: (message) => port.postMessage(message), gone: () => port.close() });
  guest.setWaited(false);
  port.on("message", (message) => guest.post(message as ToGuest));
  port.on("close", () => guest.kill());
}
