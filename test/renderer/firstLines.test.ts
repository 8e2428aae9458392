import { expect, it, vi } from "vitest";
import type { ToCore, WindowChannel } from "#shared/bridge/transport/protocol.ts";

vi.stubGlobal("addEventListener", () => {});
vi.stubGlobal("innerWidth", 1_440);
vi.stubGlobal("devicePixelRatio", 1);
const { attach, emit } = await import("../../src/renderer/bridge/index.ts");
const { useConnection } = await import("../../src/renderer/stores/connection.ts");
const { useWorkspace } = await import("../../src/renderer/stores/workspace.ts");
const { firstRequest } = await import("../../src/renderer/features/series/loader.ts");
const { queryOf, subjectOf } = await import("../../src/renderer/features/series/query.ts");
const { followReadAhead, readAheadWindows } = await import("../../src/renderer/features/series/readAhead.ts");

it("asks for the first lines before there is a plot, and once: a plot that is narrower takes what was asked", async () => {
  const asked: ToCore[] = [];
  const core: WindowChannel = { send: (message) => void asked.push(message), onMessage() {}, onClose() {}, close() {} };
  attach(core);
  followReadAhead();
  useWorkspace.setState({ stationIds: ["a", "b"], range: { startMs: 0, endMs: 365 * 86_400_000 } });
  useConnection.setState({ current: { info: { id: "one" } } as never });
  await Promise.resolve();
  expect(asked).toMatchObject([{ call: "series.window", input: { connectionId: "one", stationIds: ["a", "b"] } }]);

  const workspace = useWorkspace.getState();
  const ask = (widthPx: number): void =>
    void readAheadWindows.window(firstRequest(queryOf(subjectOf(workspace), "one"), workspace.range, widthPx));
  ask(960);
  expect(asked).toHaveLength(1);
  // Finer than what was asked for.
  ask(1_400);
  expect(asked).toHaveLength(2);
  // And nothing that was read before a change.
  emit("cacheChanged", { connectionId: "one", stationIds: null });
  ask(960);
  expect(asked).toHaveLength(3);
});
