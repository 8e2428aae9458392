import { afterEach, expect, it } from "vitest";
import type { SavedView } from "#shared/views/view.ts";
import { applyView, captured } from "#renderer/features/views/actions.ts";
import { useCatalogue } from "#renderer/stores/catalogue.ts";
import { useConnection } from "#renderer/stores/connection.ts";
import { useWorkspace } from "#renderer/stores/workspace.ts";

const before = { catalogue: useCatalogue.getState(), connection: useConnection.getState() };
afterEach(() => {
  useCatalogue.setState(before.catalogue, true);
  useConnection.setState(before.connection, true);
});

it("a view whose connection was removed says what to do about its stations, and how to return", async () => {
  const [open, station] = [{ info: { id: "open" } }, { id: "known" }];
  useConnection.setState({ current: open, all: [open.info] } as never);
  useWorkspace.setState({ stationIds: ["before"] });
  useCatalogue.setState({ byId: new Map([[station.id, station]]) } as never);
  const workspace = { ...captured(useWorkspace.getState()), stationIds: ["known", "of the removed one"] };
  const view: SavedView = { name: "Morning", connectionId: "removed", savedAtMs: 0, workspace };
  const shown = await applyView(view);
  expect(shown?.missing).toBe(
    " 1 of its 2 stations is not in the catalogue of this connection. The view’s connection was removed: connect to its service again to see it.",
  );
  expect(useWorkspace.getState().stationIds).toEqual(["known"]);
  shown?.action?.run();
  expect(useWorkspace.getState().stationIds).toEqual(["before"]);
});
