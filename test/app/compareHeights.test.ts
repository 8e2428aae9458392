import { expect, it } from "vitest";
import { type CatalogueStation, HEIGHT_REFERENCES } from "#shared/service/catalogue.ts";
import { heightsOf } from "#main/app/reading/compare/series.ts";
import type { CacheReader } from "#main/store/index.ts";

/** A catalogue with heights above ellipsoid and geoid by station. */
function cacheWith(
  heights: Readonly<Record<string, readonly [number | null, number | null]>>,
): Pick<CacheReader, "station"> {
  return {
    station(id) {
      const [ellipsoidalHeight, orthometricHeight] = heights[id] ?? [null, null];
      return { id, ellipsoidalHeight, orthometricHeight } as CatalogueStation;
    },
  };
}

it("uses the wanted reference of heights for a comparison", () => {
  const cache = cacheWith({ Kallio: [45.2, 27.3], Torsvika: [68.4, 29.8] });
  const found = HEIGHT_REFERENCES.map((wanted) => heightsOf(cache, ["Kallio", "Torsvika"], wanted));
  expect(found.map(({ reference }) => reference)).toEqual(HEIGHT_REFERENCES);
  expect(found.map(({ byId }) => [...byId.values()])).toEqual([
    [45.2, 68.4],
    [27.3, 29.8],
  ]);
});

it("never mixes references: takes the one that more stations have", () => {
  const cache = cacheWith({ Kallio: [45.2, 27.3], Torsvika: [68.4, null], Nowhere: [null, null] });
  const found = heightsOf(cache, ["Kallio", "Torsvika", "Nowhere"], "EGM2008");
  expect(found.reference).toBe("WGS84_ELLIPSOID");
  expect([...found.byId]).toEqual([
    ["Kallio", 45.2],
    ["Torsvika", 68.4],
  ]);
});
