import { expect, it } from "vitest";
import type { ToWindow, WindowChannel } from "#shared/bridge/transport/protocol.ts";
import { attach } from "#renderer/bridge/index.ts";
import { reopenConnection, useConnection } from "#renderer/stores/connection.ts";
import { useToasts } from "#renderer/stores/toasts.ts";

/** A core that lists one connection and dies when a connection is opened. */
function dyingCore(): WindowChannel {
  const listeners: { message?: (message: ToWindow) => void; end?: (reason: string) => void } = {};
  return {
    send(message) {
      if (!("call" in message)) return;
      if (message.call === "connections.list")
        listeners.message?.({ id: message.id, answer: { ok: true, value: [{ id: "a" }] } });
      else listeners.end?.("killed");
    },
    onMessage(listener) {
      listeners.message = listener;
    },
    onClose(listener) {
      listeners.end = listener;
    },
    close() {},
  };
}

it("shows no message if the core dies again while the connection is reopened", async () => {
  attach(dyingCore());
  useConnection.setState({ current: { info: { id: "a" } } as never });
  await reopenConnection();
  expect(useToasts.getState().toasts).toEqual([]);
});
