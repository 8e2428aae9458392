import { expect, test } from "vitest";
import { tell } from "../../src/renderer/bridge/index.ts";
import { followCache } from "../../src/renderer/stores/followCache.ts";

test("follows one cache, and counts a start of the engine as a change of it: what came in between was told to no one", () => {
  let changes = 0;
  const end = followCache("a", () => changes++);
  tell("cacheChanged", { connectionId: "a", stationIds: null });
  tell("cacheChanged", { connectionId: "b", stationIds: null });
  expect(changes).toBe(1);
  tell("engineRestarted", { reason: "killed" });
  expect(changes).toBe(2);
  end();
  tell("engineRestarted", { reason: "killed" });
  tell("cacheChanged", { connectionId: "a", stationIds: null });
  expect(changes).toBe(2);
});
