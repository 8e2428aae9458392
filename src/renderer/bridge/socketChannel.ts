import { pack, unpack } from "#shared/bridge/pack.ts";
import type { BridgeClient } from "#shared/bridge/client.ts";
import type { ToWindow, WindowChannel } from "#shared/bridge/protocol.ts";

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;

/** Keeps a WebSocket to the shell that served this page: opened anew where it is lost. */
export function keepSocket(attach: BridgeClient["attach"], tell: BridgeClient["tell"]): void {
  let waitMs = FIRST_WAIT_MS;
  let wasLost = false;
  const open = (): void => {
    const url = new URL("/bridge", location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    // eslint-disable-next-line no-restricted-globals
    const socket = new WebSocket(url);
    socket.binaryType = "arraybuffer";
    socket.addEventListener("open", () => {
      waitMs = FIRST_WAIT_MS;
      attach(channelOf(socket));
      if (wasLost) tell("engineRestarted", { reason: "The connection to the engine was lost and made again." });
      wasLost = false;
    });
    socket.addEventListener("close", () => {
      wasLost = true;
      setTimeout(open, waitMs);
      waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2);
    });
  };
  open();
}

function channelOf(socket: WebSocket): WindowChannel {
  return {
    send: (message) => socket.send(pack(message)),
    onMessage: (listener) =>
      socket.addEventListener("message", (event: MessageEvent<ArrayBuffer>) =>
        listener(unpack(new Uint8Array(event.data)) as ToWindow),
      ),
    onClose: (listener) => socket.addEventListener("close", () => listener("The connection was lost.")),
    close: () => socket.close(),
  };
}
