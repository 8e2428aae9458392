import { expect, test } from "vitest";
import { emit } from "../../src/renderer/bridge/index.ts";
import { onCacheChange } from "../../src/renderer/stores/cacheQuery.ts";

test("listeners of a cache receive its changes and restarts of the engine until they unsubscribe", () => {
  let changes = 0;
  const unsubscribe = onCacheChange("a", () => changes++);
  emit("cacheChanged", { connectionId: "a", stationIds: null });
  emit("cacheChanged", { connectionId: "b", stationIds: null });
  expect(changes).toBe(1);
  emit("engineRestarted", { reason: "killed" });
  expect(changes).toBe(2);
  unsubscribe();
  emit("engineRestarted", { reason: "killed" });
  emit("cacheChanged", { connectionId: "a", stationIds: null });
  expect(changes).toBe(2);
});
