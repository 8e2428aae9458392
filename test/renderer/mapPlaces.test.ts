import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mergeFrames, type Frame } from "#renderer/features/map/frames.ts";
import { positionOf, unplacedNote, unplacedOf } from "#renderer/features/map/places.ts";

const degrees = fc.oneof(fc.constant(null), fc.double({ min: -400, max: 400, noNaN: true }));
const place = fc.record({ latitudeDeg: degrees, longitudeDeg: degrees });

const at = (latitudeDeg: number | null, longitudeDeg: number | null) => ({ latitudeDeg, longitudeDeg });

const frame = (from: "cache" | "service", values: Readonly<Record<string, number>>): Frame => ({
  momentMs: 0,
  read: (id) => (values[id] === undefined ? null : { timeMs: 0, value: values[id], from }),
});

describe("stations without a position", () => {
  test("are stations that cannot be drawn, each with a reason", () => {
    fc.assert(
      fc.property(fc.array(place, { maxLength: 30 }), (stations) => {
        const reasons = unplacedOf(stations);
        for (const station of stations) expect(reasons.has(station)).toBe(positionOf(station) === null);
        const causes = [...reasons.values()];
        // A missing entitlement affects all stations or none.
        const notEntitled = causes.filter((reason) => reason === "notEntitled").length;
        expect([0, stations.length]).toContain(notEntitled);
      }),
    );
  });

  test("have different reasons, which a note counts", () => {
    const mixed = [at(60, 25), at(null, null), at(91, 0), at(10, 181), at(10, null), at(-90, -180)];
    expect([...unplacedOf(mixed).values()]).toEqual(["none", "invalid", "invalid", "invalid"]);
    expect(unplacedNote(unplacedOf(mixed).values())).toMatch(
      /no coordinates for 1 station, .*latitude and longitude for 3 stations/,
    );
    expect([...unplacedOf([at(null, null), at(null, null)]).values()]).toEqual(["notEntitled", "notEntitled"]);
    expect(unplacedNote(["notEntitled"])).toMatch(/no access to locations/);
    expect(unplacedNote([])).toBe("Every station has a position.");
  });
});

test("cached values take precedence over values from the service", () => {
  const merged = mergeFrames(frame("cache", { a: 1, b: 2 }), frame("service", { b: 3, c: 4 }));
  expect(["a", "b", "c", "d"].map((id) => merged.read(id, "ztd"))).toEqual([
    { timeMs: 0, value: 1, from: "cache" },
    { timeMs: 0, value: 2, from: "cache" },
    { timeMs: 0, value: 4, from: "service" },
    null,
  ]);
});
