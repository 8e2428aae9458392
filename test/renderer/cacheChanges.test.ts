import { expect, test } from "vitest";
import { emit } from "../../src/renderer/bridge/index.ts";
import { onCacheChange } from "../../src/renderer/stores/cacheQuery.ts";

test("reports changes of one cache, and a restart of the engine as a change, because changes in between were not reported", () => {
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
