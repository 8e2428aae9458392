import { expect, it, vi } from "vitest";
import type { ToCore, WindowChannel } from "#shared/bridge/transport/protocol.ts";

vi.stubGlobal("innerWidth", 1_440);
vi.stubGlobal("devicePixelRatio", 1);
const { attach, emit } = await import("#renderer/bridge/index.ts");
const { useConnection } = await import("#renderer/stores/connection.ts");
const { useWorkspace } = await import("#renderer/stores/workspace.ts");
const { firstRequest } = await import("#renderer/features/series/loader.ts");
const { queryOf, subjectOf } = await import("#renderer/features/series/query.ts");
const { followReadAhead, readAheadWindows } = await import("#renderer/features/series/readAhead.ts");

it("requests the first lines before the plot exists, and again only for wider plots or after changes", async () => {
  const requests: ToCore[] = [];
  const core: WindowChannel = {
    send: (message) => void requests.push(message),
    onMessage() {},
    onClose() {},
    close() {},
  };
  attach(core);
  followReadAhead();
  useWorkspace.setState({ stationIds: ["a", "b"], range: { startMs: 0, endMs: 365 * 86_400_000 } });
  useConnection.setState({ current: { info: { id: "one" } } as never });
  await Promise.resolve();
  expect(requests).toMatchObject([{ call: "series.window", input: { connectionId: "one", stationIds: ["a", "b"] } }]);

  const workspace = useWorkspace.getState();
  const request = (widthPx: number): void =>
    void readAheadWindows.window(firstRequest(queryOf(subjectOf(workspace), "one"), workspace.range, widthPx));
  request(960);
  expect(requests).toHaveLength(1);
  // A wider plot needs a higher resolution.
  request(1_400);
  expect(requests).toHaveLength(2);
  // Data read before a change is not used.
  emit("cacheChanged", { connectionId: "one", stationIds: null });
  request(960);
  expect(requests).toHaveLength(3);
});
