import { expect } from "vitest";
import { DAY_MS, HOUR_MS } from "#shared/time/utc.ts";
import { ASKED, KEPT, NATIVE, NEVER_ASKED, ONE, SILENT, START_MS } from "../fixture.ts";
import { type Cases, faultOf, valueOf } from "./case.ts";

export const availabilityCases: Cases<`availability.${string}`> = {
  async "availability.read"({ bridge }) {
    const range = { startMs: ASKED.startMs, endMs: ASKED.endMs + DAY_MS };
    const query = { connectionId: KEPT, stationIds: [ONE, NEVER_ASKED], variable: "ztd" as const, range, mode: NATIVE };
    const days = valueOf(await bridge.availability.read({ ...query, bin: "day" }));
    expect(days).toMatchObject({ firstMs: START_MS, binMs: DAY_MS, bins: 3 });
    expect(days.stations).toEqual([
      { stationId: ONE, stepSeconds: 30, isForbidden: false, hasEverSent: true, failedBecause: null },
      { stationId: NEVER_ASKED, stepSeconds: 30, isForbidden: false, hasEverSent: true, failedBecause: null },
    ]);
    // One row without a value, and one hour without data.
    expect(days.received).toEqual(Uint32Array.of(2_879, 2_760, 0, 0, 0, 0));
    expect(days.missing).toEqual(Uint32Array.of(1, 120, 0, 0, 0, 0));
    expect(days.notRequested).toEqual(Uint32Array.of(0, 0, 2_880, 2_880, 2_880, 2_880));
    expect(days.mayStillArrive).toEqual(new Uint32Array(6));

    const hours = valueOf(await bridge.availability.read({ ...query, stationIds: [ONE], range: ASKED, bin: "hour" }));
    expect(hours.bins).toBe(48);
    expect(hours.received[(SILENT.startMs - START_MS) / HOUR_MS]).toBe(0);
    expect(hours.expected.every((n) => n === 120)).toBe(true);

    const ever = { startMs: 0, endMs: START_MS };
    const stationIds = Array.from({ length: 500 }, (_, i) => `s${i}`);
    expect(faultOf(await bridge.availability.read({ ...query, stationIds, range: ever, bin: "hour" })).kind).toBe(
      "usage",
    );
  },
  async "availability.convergences"({ bridge }) {
    const query = { connectionId: KEPT, stationId: ONE, intervalSeconds: null };
    expect(valueOf(await bridge.availability.convergences({ ...query, gaps: [SILENT, SILENT] }))).toEqual([null, null]);
  },
};
