import { expect, test } from "vitest";
import { tell } from "../../src/renderer/bridge/index.ts";
import { onCacheChange } from "../../src/renderer/stores/cacheQuery.ts";

test("reports changes of one cache, and a restart of the engine as a change, because changes in between were not reported", () => {
  let changes = 0;
  const unsubscribe = onCacheChange("a", () => changes++);
  tell("cacheChanged", { connectionId: "a", stationIds: null });
  tell("cacheChanged", { connectionId: "b", stationIds: null });
  expect(changes).toBe(1);
  tell("engineRestarted", { reason: "killed" });
  expect(changes).toBe(2);
  unsubscribe();
  tell("engineRestarted", { reason: "killed" });
  tell("cacheChanged", { connectionId: "a", stationIds: null });
  expect(changes).toBe(2);
});
