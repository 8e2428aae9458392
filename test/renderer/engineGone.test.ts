import { expect, it, vi } from "vitest";
import type { ToWindow, WindowChannel } from "#shared/bridge/transport/protocol.ts";

// The window that the workspace is kept for.
vi.stubGlobal("addEventListener", () => {});
const { attach } = await import("../../src/renderer/bridge/index.ts");
const { reopenConnection, useConnection } = await import("../../src/renderer/stores/connection.ts");
const { useToasts } = await import("../../src/renderer/stores/toasts.ts");

/** A core that tells of one connection, and is gone when it is asked to open one. */
function dyingCore(): WindowChannel {
  const heard: { answer?: (message: ToWindow) => void; end?: (reason: string) => void } = {};
  return {
    send(message) {
      if (!("call" in message)) return;
      if (message.call === "connections.list")
        heard.answer?.({ id: message.id, answer: { ok: true, value: [{ id: "a" }] } });
      else heard.end?.("killed");
    },
    onMessage(listener) {
      heard.answer = listener;
    },
    onClose(listener) {
      heard.end = listener;
    },
    close() {},
  };
}

it("says nothing where the engine goes again while the connection is opened again: the next start opens it", async () => {
  attach(dyingCore());
  useConnection.setState({ current: { info: { id: "a" } } as never });
  await reopenConnection();
  expect(useToasts.getState().toasts).toEqual([]);
});
