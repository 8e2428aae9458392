import { expect, test } from "vitest";
import { newestData } from "#renderer/ask/useNewestData.ts";
import { showMoment, useMapState } from "#renderer/features/map/mapState.ts";
import { sliderMoments } from "#renderer/features/map/useSnapshot.ts";
import { frameMoments } from "#renderer/plot/figure/animation.ts";

test("the newest data are the received ones, if the list of stations is older", () => {
  const stations = [{ dataLastUpdatedMs: 1_000_000 }, { dataLastUpdatedMs: null }];
  expect(newestData(stations, null)).toBe(1_000_000);
  expect(newestData(stations, 1_600_000)).toBe(1_600_000);
  expect(newestData(stations, 400_000)).toBe(1_000_000);
  expect(newestData([], null)).toBeNull();
  const range = { startMs: 0, endMs: 2_000_000 };
  expect(sliderMoments(range, 60, newestData(stations, 1_590_000)!).lastMs).toBe(1_590_000);
});

test("the end of the map's slider is the newest moment, also when newer data arrive", () => {
  showMoment(900, { lastMs: 1_000 });
  expect(useMapState.getState().momentMs).toBe(900);
  showMoment(1_000, { lastMs: 1_000 });
  expect(useMapState.getState().momentMs).toBeNull();
});

test("an animation ends with the newest data, whatever its step", () => {
  const source = {
    fileName: "map",
    firstMs: 0,
    lastMs: 1_000,
    stepMs: 150,
    figures: () => {
      throw new Error();
    },
  };
  expect(frameMoments(source, 1)).toEqual([0, 150, 300, 450, 600, 750, 900, 1_000]);
  expect(frameMoments(source, 4)).toEqual([0, 600, 1_000]);
  expect(frameMoments({ ...source, lastMs: 600 }, 2)).toEqual([0, 300, 600]);
});
