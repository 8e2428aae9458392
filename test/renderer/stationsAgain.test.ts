import { expect, it } from "vitest";
import type { ToWindow, WindowChannel } from "#shared/bridge/transport/protocol.ts";
import { attach } from "#renderer/bridge/index.ts";
import { followCatalogue, loadCatalogue, useCatalogue } from "#renderer/stores/catalogue.ts";

const EMPTY = { stations: [], withdrawn: [], networks: [], fetchedAtMs: null };

it("stations that could not be fetched are fetched when the service is reachable again", async () => {
  let isDown = true;
  let tell: ((message: ToWindow) => void) | undefined;
  const core: WindowChannel = {
    send(message) {
      if (!("call" in message)) return;
      const isLost = isDown && message.call === "catalogue.refresh";
      const fault = { kind: "offline", message: "The connection was lost." } as never;
      tell?.({ id: message.id, answer: isLost ? { ok: false, error: fault } : { ok: true, value: EMPTY } });
    },
    onMessage: (listener) => void (tell = listener),
    onClose() {},
    close() {},
  };
  attach(core);
  followCatalogue();
  await loadCatalogue("a");
  expect(useCatalogue.getState().fault).not.toBeNull();
  const connectivity = (state: "offline" | "online"): void =>
    tell?.({
      event: {
        name: "connectivity",
        data: { connectionId: "a", state, sinceMs: 0, reason: null, pausedUntilMs: null },
      },
    });
  connectivity("offline");
  isDown = false;
  connectivity("online");
  await expect.poll(() => useCatalogue.getState().fault).toBeNull();
});
