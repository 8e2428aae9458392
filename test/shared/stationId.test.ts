import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalId, NO_STATION, stationFinder } from "#shared/service/stationId.ts";

const uuid = fc.uuid().map((id) => id.toLowerCase());
const spellings: readonly ((id: string) => string)[] = [
  (id) => id,
  (id) => id.toUpperCase(),
  (id) => `{${id}}`,
  (id) => `{${id.toUpperCase()}}`,
  (id) => ` ${id}\n`,
  (id) => `\t{ ${id} } `,
  (id) => `urn:uuid:${id}`,
  (id) => `URN:UUID:${id.toUpperCase()}`,
  (id) => id.replaceAll("-", ""),
  (id) => `\ufeff${id}\u200b`,
];
const spelling = fc.constantFrom(...spellings);

describe("a station id", () => {
  test("is normalized to one form for every spelling of a UUID", () => {
    fc.assert(
      fc.property(uuid, spelling, (id, spelt) => {
        expect(canonicalId(spelt(id))).toBe(id);
        expect(canonicalId(canonicalId(spelt(id)))).toBe(id);
      }),
    );
  });

  test("that is not a UUID is only trimmed", () => {
    expect([" KALL0 ", "KALL0-x", "{a}", "", "123"].map(canonicalId)).toEqual(["KALL0", "KALL0-x", "{a}", "", "123"]);
  });

  test("is found in every identifying field of a row, and never for another station", () => {
    fc.assert(
      fc.property(fc.uniqueArray(uuid, { minLength: 3, maxLength: 6 }), spelling, (ids, spelt) => {
        const [foreign, ...requested] = ids as [string, ...string[]];
        const names = requested.map((id, k) => ({ id, displayName: `Station ${k}`, mountpoint: `MOUNT${k}` }));
        const stationOf = stationFinder(names);
        requested.forEach((id, k) => {
          for (const row of [
            { station_id: spelt(id), display_name: "Station 99" },
            { station_id: null, receiver_id: spelt(id) },
            { station_id: "", receiver_id: spelt(id) },
            { receiver_id: `mount${k} ` },
            { mountpoint: `MOUNT${k}` },
            { mountpoints: [`MOUNT${k}`] },
          ])
            expect(stationOf(row)).toBe(id);
          const byName = { display_name: `Station ${k}` };
          expect(stationFinder([names[k]!])(byName)).toBe(id);
          expect(stationOf(byName)).toBe(requested.length === 1 ? id : NO_STATION);
        });
        for (const row of [
          { station_id: spelt(foreign), display_name: "Station 0", mountpoint: "MOUNT0" },
          { display_name: "Station 99" },
          { station_id: "MOUNT99" },
          { station_id: {} },
          {},
        ])
          expect(stationOf(row)).toBe(NO_STATION);
      }),
    );
  });

  test("is not derived from a name that two requested stations share", () => {
    const stationOf = stationFinder([
      { id: "a", displayName: "Twin", mountpoint: null },
      { id: "b", displayName: "twin " },
    ]);
    expect(stationOf({ display_name: "Twin" })).toBe(NO_STATION);
  });
});
