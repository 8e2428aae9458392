import { expect, test } from "vitest";
import { newestData } from "#renderer/ask/useNewestData.ts";
import { momentsOf } from "#renderer/features/map/useSnapshot.ts";

test("the newest data are the received ones, if the list of stations is older", () => {
  const stations = [{ dataLastUpdatedMs: 1_000_000 }, { dataLastUpdatedMs: null }];
  expect(newestData(stations, null)).toBe(1_000_000);
  expect(newestData(stations, 1_600_000)).toBe(1_600_000);
  expect(newestData(stations, 400_000)).toBe(1_000_000);
  expect(newestData([], null)).toBeNull();
  const range = { startMs: 0, endMs: 2_000_000 };
  expect(momentsOf(range, 60, newestData(stations, 1_590_000)!).lastMs).toBe(1_590_000);
});
