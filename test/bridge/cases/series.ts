import { expect } from "vitest";
import { DAY_MS, HOUR_MS } from "#shared/time/utc.ts";
import {
  ASKED,
  AWKWARD,
  KEPT,
  NATIVE,
  NEVER_ASKED,
  ONE,
  READ_NATIVE,
  SILENT,
  START_MS,
  STEP_MS,
  ztdMm,
} from "../fixture.ts";
import { type Cases, valueOf } from "./case.ts";

const hour = { startMs: START_MS, endMs: START_MS + HOUR_MS };
const selection = {
  connectionId: KEPT,
  stationIds: [ONE],
  variables: ["ztd" as const],
  range: hour,
  mode: READ_NATIVE,
};
const rows = HOUR_MS / STEP_MS;

export const seriesCases: Cases<`${"series" | "satellites" | "snapshot"}.${string}`> = {
  async "series.window"({ bridge }) {
    const near = await bridge.series.window({ ...selection, columns: 100, mostRows: 1_000 });
    const [window] = valueOf(near);
    if (window?.kind !== "rows") throw new Error("rows were expected");
    expect(window.timesMs).toEqual(Float64Array.from({ length: rows }, (_, i) => START_MS + i * STEP_MS));
    const sent = Float64Array.from({ length: rows }, (_, i) => ztdMm(i));
    expect(window.values.ztd).toBeInstanceOf(Float64Array);
    expect(bitsOf(window.values.ztd!)).toEqual(bitsOf(sent));

    const far = valueOf(await bridge.series.window({ ...selection, range: ASKED, columns: 48, mostRows: 1_000 }))[0]!;
    if (far.kind !== "columns") throw new Error("columns were expected");
    const { count, min, max, mean } = far.variables.ztd!;
    expect([count.constructor.name, min.constructor.name]).toEqual(["Uint32Array", "Float64Array"]);
    expect([count.length, min.length, max.length, mean.length]).toEqual([48, 48, 48, 48]);
    expect(count[30]).toBe(0);
    expect(bitsOf(mean.subarray(30, 31))).toEqual(bitsOf(Float64Array.of(Number.NaN)));
    expect(count[29]).toBe(rows);

    const rejected = await bridge.series.window({ ...selection, columns: 100, mostRows: 1_000, rejected: true });
    // No raw data is cached, so there is no rejected data.
    expect(valueOf(rejected)).toMatchObject([{ kind: "rows", timesMs: new Float64Array(0), judged: { ztd: [hour] } }]);
  },
  async "series.gaps"({ bridge }) {
    const range = { startMs: ASKED.startMs, endMs: ASKED.endMs + DAY_MS };
    const [found] = valueOf(await bridge.series.gaps({ ...selection, range, minimumMs: HOUR_MS }));
    // The future has no gaps.
    const ahead = { startMs: Date.UTC(2100, 0, 1), endMs: Date.UTC(2100, 0, 2) };
    expect(valueOf(await bridge.series.gaps({ ...selection, range: ahead, minimumMs: 0 }))[0]!.gaps).toEqual([]);
    expect(found).toEqual({
      stationId: ONE,
      variable: "ztd",
      stepSeconds: 30,
      gaps: [
        { range: SILENT, cause: "nothingOrFiltered" },
        { range: { startMs: ASKED.endMs, endMs: range.endMs }, cause: "notRequested" },
      ],
      // The row without a value is a gap of one epoch.
      secondsByCause: { nothingOrFiltered: 3_630, notRequested: 86_400 },
      untilMs: range.endMs,
    });
  },
  async "series.statistics"({ bridge }) {
    const range = { startMs: START_MS + AWKWARD.length * STEP_MS, endMs: hour.endMs };
    const [found] = valueOf(await bridge.series.statistics({ ...selection, range }));
    const values = Array.from({ length: rows - AWKWARD.length }, (_, i) => ztdMm(i + AWKWARD.length));
    expect(found!.statistics).toMatchObject({ n: values.length, min: Math.min(...values), max: Math.max(...values) });
    expect(found!.statistics).toMatchObject({ expected: values.length, requested: values.length });

    // Time that was never requested is not missing, as in the table of availability; averages count whole intervals.
    const wide = { startMs: ASKED.startMs - HOUR_MS, endMs: ASKED.endMs + DAY_MS };
    const [partly] = valueOf(await bridge.series.statistics({ ...selection, range: wide }));
    const { connectionId, stationIds } = selection;
    const query = { connectionId, stationIds, variable: "ztd" as const, range: wide, mode: NATIVE };
    const days = valueOf(await bridge.availability.read({ ...query, bin: "day" }));
    expect(partly!.statistics).toMatchObject({
      n: total(days.received),
      requested: 2 * (DAY_MS / STEP_MS),
      expected: total(days.expected),
    });
    expect(total(days.expected) - total(days.notRequested)).toBe(partly!.statistics.requested);
    const hours = { ...READ_NATIVE, intervalSeconds: 3_600, resampled: true };
    const [means] = valueOf(await bridge.series.statistics({ ...selection, range: wide, mode: hours }));
    expect(means!.statistics.requested).toBe(48);

    const before = { startMs: START_MS - DAY_MS, endMs: START_MS };
    const [none] = valueOf(await bridge.series.statistics({ ...selection, range: before }));
    expect(none!.statistics).toMatchObject({ n: 0, mean: Number.NaN, p50: Number.NaN });
  },
  async "series.page"({ bridge }) {
    const { stationIds: _, ...rest } = selection;
    const input = { ...rest, stationId: ONE, range: ASKED, variables: ["ztd" as const, "prn" as const] };
    const page = valueOf(await bridge.series.page({ ...input, offset: 118, limit: 4 }));
    expect(page).toMatchObject({ total: 2 * 2_880 - 120, offset: 118 });
    expect(page.timesMs).toEqual(Float64Array.from([118, 119, 120, 121], (i) => START_MS + i * STEP_MS));
    expect(page.columns.ztd).toEqual(Float64Array.from([118, 119, 120, 121], ztdMm));
    expect(page.columns.prn).toEqual(["G01,E11", "G01,E11", null, null]);
  },
  async "series.joined"({ bridge }) {
    const input = { ...selection, range: ASKED, variables: ["ztd" as const, "prn" as const] };
    const page = valueOf(await bridge.series.joined({ ...input, stationIds: [ONE, "nobody"], offset: 118, limit: 4 }));
    // The gap between the rows is a line of its own.
    expect(page).toMatchObject({ total: 2 * 2_880 - 120 + 1, rows: 2 * 2_880 - 120, offset: 118 });
    expect(page.gapEndsMs).toEqual(new Float64Array(4).fill(Number.NaN));
    expect(page.timesMs).toEqual(Float64Array.from([118, 119, 120, 121], (i) => START_MS + i * STEP_MS));
    expect(page.stations).toEqual([
      { ztd: Float64Array.from([118, 119, 120, 121], ztdMm), prn: ["G01,E11", "G01,E11", null, null] },
      { ztd: new Float64Array(4).fill(Number.NaN), prn: [null, null, null, null] },
    ]);
  },
  async "series.joinedAt"({ bridge }) {
    const timesMs = [121, 7, 100_000].map((i) => START_MS + i * STEP_MS);
    const page = valueOf(await bridge.series.joinedAt({ ...selection, timesMs }));
    expect(page.timesMs).toEqual(Float64Array.from(timesMs));
    expect(page.stations).toEqual([{ ztd: Float64Array.of(ztdMm(121), ztdMm(7), Number.NaN) }]);
  },
  async "series.rowOrder"({ bridge }) {
    const by = { stationId: ONE, variable: "ztd" as const };
    const filter = { of: by, atLeast: 2_400.5, atMost: 2_401 };
    const order = valueOf(await bridge.series.rowOrder({ ...selection, sort: { by, isDescending: true }, filter }));
    const passing = Array.from({ length: rows }, (_, i) => i).filter((i) => ztdMm(i) >= 2_400.5 && ztdMm(i) <= 2_401);
    expect(passing.length).toBeGreaterThan(1);
    const sorted = passing.toSorted((a, b) => ztdMm(b) - ztdMm(a));
    expect(order).toEqual(Float64Array.from(sorted, (i) => START_MS + i * STEP_MS));
  },
  async "snapshot.read"({ bridge }) {
    const around = { connectionId: KEPT, variables: ["ztd" as const, "pwv" as const], mode: READ_NATIVE };
    const momentsMs = [START_MS + 100 * STEP_MS + 1_000, SILENT.startMs + HOUR_MS / 2];
    const found = valueOf(await bridge.snapshot.read({ ...around, momentsMs, withinMs: 15 * 60_000 }));
    expect(found).toEqual({
      momentsMs,
      stationIds: [ONE],
      variables: {
        ztd: {
          timesMs: Float64Array.of(START_MS + 100 * STEP_MS, Number.NaN),
          values: Float64Array.of(ztdMm(100), Number.NaN),
        },
        pwv: {
          timesMs: Float64Array.of(START_MS + 100 * STEP_MS, Number.NaN),
          values: Float64Array.of(12.1, Number.NaN),
        },
      },
    });
  },
  async "snapshot.missing"({ bridge }) {
    const query = { connectionId: KEPT, variable: "ztd" as const, mode: READ_NATIVE, withinMs: 15 * 60_000 };
    const stationIds = [NEVER_ASKED, ONE];
    const momentMs = SILENT.startMs + HOUR_MS / 2;
    expect(valueOf(await bridge.snapshot.missing({ ...query, stationIds, momentMs }))).toEqual([
      { cause: "notRequested", reason: null },
      { cause: "nothingOrFiltered", reason: null },
    ]);
    const answered = { ...query, stationIds, momentMs, isAnswered: true };
    expect(valueOf(await bridge.snapshot.missing(answered))).toEqual(
      Array.from({ length: 2 }, () => ({ cause: "nothingOrFiltered", reason: null })),
    );
  },
  async "satellites.read"({ bridge }) {
    const input = { connectionId: KEPT, stationId: ONE, range: hour, mode: NATIVE };
    const seen = valueOf(await bridge.satellites.read(input));
    expect(seen.timesMs).toHaveLength(rows);
    expect(seen.offsets).toEqual(Uint32Array.from({ length: rows + 1 }, (_, i) => 2 * i));
    expect(seen.prns).toEqual(["G01", "E11"]);
    expect([seen.prn[0], seen.prn[1]]).toEqual([0, 1]);
    expect([seen.elevationDeg[1], seen.azimuthDeg[1]]).toEqual([80, 359.9]);
    expect(seen.elevationDeg[6]).toBeNaN();
    expect(seen.bands.map((b) => b.name)).toEqual(["1", "2"]);
    expect([seen.bands[0]!.cn0DbHz[1], seen.bands[1]!.cn0DbHz[1]]).toEqual([44, Number.NaN]);
    expect(seen.problems).toEqual([{ problem: expect.stringMatching(/longer or shorter than the list/), count: 1 }]);
  },
};

/** The bits of the values, because many comparisons ignore -0 and NaN. */
function bitsOf(values: Float64Array): BigUint64Array {
  return new BigUint64Array(values.slice().buffer);
}

function total(counts: Uint32Array): number {
  return counts.reduce((sum, n) => sum + n, 0);
}
