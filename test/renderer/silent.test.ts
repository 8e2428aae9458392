import { describe, expect, it } from "vitest";
import { silentOf } from "#renderer/features/schedules/useSilent.ts";
import { HOUR_MS, MINUTE_MS } from "#shared/time/utc.ts";
import { scheduleOf } from "../app/scheduleOf.ts";
import { stationOf } from "../support/station.ts";

const FETCHED_MS = Date.parse("2026-11-24T12:00:00Z");

function catalogueOf(ages: Readonly<Record<string, number | null>>, fetchedAtMs: number | null = FETCHED_MS) {
  const stations = Object.entries(ages).map(([id, ageMs]) =>
    stationOf(id, {
      displayName: id.toUpperCase(),
      dataLastUpdatedMs: ageMs === null ? null : FETCHED_MS - ageMs,
    }),
  );
  return { stations, withdrawn: [], networks: [], fetchedAtMs };
}

function names(of: ReturnType<typeof silentOf>): string[] {
  return of.map(({ displayName }) => displayName);
}

describe("the silent stations of a schedule", () => {
  const catalogue = catalogueOf({ a: 3 * HOUR_MS, b: 5 * MINUTE_MS, c: null, d: 9 * HOUR_MS });
  const watched = scheduleOf({ silentMinutes: 120, stations: { kind: "list", stationIds: ["a", "b", "c"] } });

  it("are those that it watches and that have sent nothing for longer than it allows, longest first", () => {
    expect(names(silentOf(watched, catalogue, []))).toEqual(["C", "A"]);
    const group = { connectionId: "c1", name: "North", stationIds: ["b", "d"] };
    const ofGroup = { ...watched, stations: { kind: "group", name: "north" } } as const;
    expect(names(silentOf(ofGroup, catalogue, [group]))).toEqual(["D"]);
  });

  it("are judged by the time at which the catalogue was requested, and unknown without one", () => {
    expect(silentOf(scheduleOf(), catalogue, [])).toEqual([]);
    expect(silentOf(watched, { ...catalogue, fetchedAtMs: null }, [])).toEqual([]);
    expect(names(silentOf(watched, { ...catalogue, fetchedAtMs: FETCHED_MS + 3 * HOUR_MS }, []))).toContain("B");
  });
});
