import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SatelliteEpochs } from "#shared/bridge/methods/series.ts";
import { durationMs } from "#shared/time/range.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { constellationOf, CONSTELLATIONS } from "#renderer/features/satellites/constellations.ts";
import { binsCsv, inViewCsv, skyCsv } from "#renderer/features/satellites/figures/csv.ts";
import { BINS, elevationBins, quantile } from "#renderer/features/satellites/data/elevationBins.ts";
import { AZIMUTHS, skyCell, heatMap } from "#renderer/features/satellites/data/heatMap.ts";
import { KINDS, viewColumns, countInView } from "#renderer/features/satellites/data/inView.ts";
import {
  azimuthAt,
  discX,
  discY,
  elevationAt,
  epochAt,
  type Sky,
  type SkyFilter,
} from "#renderer/features/satellites/data/sky.ts";
import { loadParts, readableRange } from "#renderer/features/satellites/data/loader.ts";
import { completenessOf, passAt, passesOf } from "#renderer/features/satellites/data/passes.ts";
import { SkyBuilder } from "#renderer/features/satellites/data/skyBuilder.ts";
import type { SlicedWork } from "#renderer/features/satellites/data/slices.ts";

/** Runs work without interruption. */
function runAtOnce<T>(work: SlicedWork<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

const START_MS = Date.UTC(2026, 0, 1);
const STEP_MS = 30_000;
const ALL: SkyFilter = { cutOffDeg: 0, shown: new Uint8Array(KINDS).fill(1) };
const PRNS = ["G01", "G02", "R05", "E11", "C23", "J02", "17"];

interface Seen {
  readonly prn: string;
  readonly el: number;
  readonly az: number;
  /** By band name. */
  readonly cn0: Readonly<Record<string, number>>;
}
interface Epoch {
  readonly timeMs: number;
  readonly seen: readonly Seen[];
}

/** A response of the core for the given rows. */
function response(epochs: readonly Epoch[]): SatelliteEpochs {
  const all = epochs.flatMap((e) => e.seen);
  const prns = [...new Set(all.map((s) => s.prn))];
  const bands = [...new Set(all.flatMap((s) => Object.keys(s.cn0)))];
  let at = 0;
  return {
    timesMs: Float64Array.from(epochs, (e) => e.timeMs),
    offsets: Uint32Array.from([0, ...epochs.map((e) => (at += e.seen.length))]),
    prns,
    prn: Uint16Array.from(all, (s) => prns.indexOf(s.prn)),
    elevationDeg: Float64Array.from(all, (s) => s.el),
    azimuthDeg: Float64Array.from(all, (s) => s.az),
    bands: bands.map((name) => ({ name, cn0DbHz: Float64Array.from(all, (s) => s.cn0[name] ?? Number.NaN) })),
    problems: [],
  };
}

function skyOf(...parts: readonly (readonly Epoch[])[]): Sky {
  const builder = new SkyBuilder(STEP_MS);
  for (const part of parts) builder.append(response(part));
  return builder.sky();
}

const seen: fc.Arbitrary<Seen> = fc.record({
  prn: fc.constantFrom(...PRNS),
  el: fc.oneof({ weight: 9, arbitrary: fc.double({ min: -5, max: 95, noNaN: true }) }, fc.constant(Number.NaN)),
  az: fc.oneof({ weight: 9, arbitrary: fc.double({ min: -10, max: 370, noNaN: true }) }, fc.constant(Number.NaN)),
  cn0: fc.dictionary(fc.constantFrom("1", "l5"), fc.double({ min: 15, max: 60, noNaN: true }), { maxKeys: 2 }),
});
const epochs: fc.Arbitrary<Epoch[]> = fc
  .array(
    fc.record({
      steps: fc.constantFrom(1, 1, 1, 1, 2, 50),
      seen: fc.uniqueArray(seen, { selector: (s) => s.prn, maxLength: 6 }),
    }),
    { maxLength: 60 },
  )
  .map((list) => {
    let timeMs = START_MS;
    return list.map(({ steps, seen: s }) => ({ timeMs: (timeMs += steps * STEP_MS), seen: s }));
  });
const cutOff = fc.integer({ min: 0, max: 40 });

function sum(values: ArrayLike<number>): number {
  return Array.from(values).reduce((a, b) => a + b, 0);
}

const onDisc = (az: number, el: number): number[] =>
  [discX(az, el), discY(az, el)].map((v) => Math.round(v * 1e9) / 1e9 + 0);

const oneAt = (minute: number, el = 20): Epoch => ({
  timeMs: START_MS + minute * 60_000,
  seen: [{ prn: "G01", el, az: 10, cn0: {} }],
});

const quartiles = (values: number[]): number[] => [0.25, 0.5, 0.75].map((q) => quantile(Float64Array.from(values), q));

describe("positions in the sky plot", () => {
  it("round-trip through disc coordinates", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 359.99, noNaN: true }),
        fc.double({ min: 0, max: 89.9, noNaN: true }),
        (az, el) => {
          const [x, y] = [discX(az, el), discY(az, el)];
          expect(elevationAt(x, y)).toBeCloseTo(el, 8);
          // 0° and 360° are both north.
          expect(Math.cos(((azimuthAt(x, y) - az) * Math.PI) / 180)).toBeCloseTo(1, 8);
          // Rounding may exceed the rim slightly.
          expect(Math.hypot(x, y)).toBeLessThanOrEqual(1 + 1e-12);
        },
      ),
    );
  });

  it("have north at the top, east at the right, the zenith in the centre and the horizon on the rim", () => {
    expect([onDisc(0, 0), onDisc(90, 0), onDisc(180, 45), onDisc(270, 0), onDisc(123, 90)]).toEqual([
      [0, -1],
      [1, 0],
      [0, 0.5],
      [-1, 0],
      [0, 0],
    ]);
  });

  it("are grouped by constellation, from the letters of RINEX", () => {
    const named = ["G01", "r05", "E11", "C23", "J02", "I03", "S20", "17", "GPS"].map(
      (prn) => CONSTELLATIONS[constellationOf(prn)]?.name,
    );
    expect(named).toEqual(["GPS", "GLONASS", "Galileo", "BeiDou", "QZSS", "NavIC", "SBAS", "Other", "Other"]);
  });
});

describe("a sky read in parts", () => {
  it("equals the sky read at once", () => {
    fc.assert(
      fc.property(epochs, fc.nat(60), (list, at) => {
        const cut = Math.min(at, list.length);
        const sky = skyOf(list.slice(0, cut), list.slice(cut));
        let entry = 0;
        expect([...sky.timesMs]).toEqual(list.map((e) => e.timeMs));
        for (let epoch = 0; epoch < list.length; epoch++) {
          expect(sky.offsets[epoch]).toBe(entry);
          for (const { prn, el, az, cn0 } of list[epoch]!.seen) {
            expect([sky.prns[sky.prn[entry]!], sky.elevationDeg[entry], sky.azimuthDeg[entry]]).toEqual([prn, el, az]);
            for (const band of sky.bands) expect(band.cn0DbHz[entry]).toBe(cn0[band.name] ?? Number.NaN);
            entry++;
          }
        }
        expect(sky.offsets[list.length]).toBe(entry);
        expect(sky.prn).toHaveLength(entry);
      }),
    );
  });

  it("continues tracks across parts, and interrupts them while a satellite is missing", () => {
    const sky = skyOf([oneAt(0), oneAt(1), oneAt(2)], [oneAt(3), oneAt(10), oneAt(11, Number.NaN), oneAt(12)]);
    expect([...sky.previous]).toEqual([-1, 0, 1, 2, -1, 4, -1]);
  });

  it("grows beyond its initial capacity", () => {
    const many = Array.from({ length: 5_000 }, (_, i) => ({
      timeMs: START_MS + i * STEP_MS,
      seen: ["G01", "G02", "R05", "E11", "C23", "J02", "17"].map((prn, s) => ({
        prn,
        el: s,
        az: i % 360,
        cn0: i < 4_990 ? { a: i } : { b: -i },
      })),
    }));
    const sky = skyOf(many.slice(0, 2_000), many.slice(2_000, 4_995), many.slice(4_995));
    expect(sky.prn).toHaveLength(35_000);
    expect([
      sky.azimuthDeg[34_999],
      sky.bands[0]?.cn0DbHz[0],
      sky.bands[1]?.cn0DbHz[0],
      sky.bands[1]?.cn0DbHz[34_999],
    ]).toEqual([4_999 % 360, 0, Number.NaN, -4_999]);
    expect(sky.bands[0]?.cn0DbHz[34_999]).toBeNaN();
  });

  it("uses each epoch for one and a half steps", () => {
    const sky = skyOf([0, 1, 5].map((n) => ({ timeMs: START_MS + n * STEP_MS, seen: [] })));
    const at = (steps: number): number => epochAt(sky, START_MS + steps * STEP_MS);
    expect([at(-0.1), at(0), at(0.9), at(1), at(2.5), at(2.6), at(5), at(6.6)]).toEqual([-1, 0, 0, 1, 1, -1, 2, -1]);
  });
});

describe("C/N0 against elevation", () => {
  it("assigns every value to one bin or counts it as outside", () => {
    fc.assert(
      fc.property(epochs, cutOff, fc.constantFrom("constellation", "band"), (list, cutOffDeg, by) => {
        const sky = skyOf(list);
        const { groups, outside } = runAtOnce(elevationBins(sky, { ...ALL, cutOffDeg }, by, 0));
        const used = by === "band" ? sky.bands.map((b) => b.name) : sky.bands.slice(0, 1).map((b) => b.name);
        const passing = list.flatMap((e) => e.seen).filter((s) => cutOffDeg === 0 || s.el >= cutOffDeg);
        const values = passing.flatMap((s) => used.flatMap((band) => s.cn0[band] ?? []));
        expect(sum(groups.map((g) => sum(g.n))) + outside).toBe(values.length);
        for (const { n, lower, median, upper } of groups)
          for (let bin = 0; bin < BINS; bin++) {
            const [low, middle, high] = [lower[bin]!, median[bin]!, upper[bin]!];
            expect(n[bin] === 0 ? Number.isNaN(middle) : low <= middle && middle <= high).toBe(true);
          }
      }),
    );
  });

  it("has no more values in any bin with a higher cut-off", () => {
    fc.assert(
      fc.property(epochs, cutOff, cutOff, (list, a, b) => {
        const sky = skyOf(list);
        const at = (cutOffDeg: number) =>
          runAtOnce(elevationBins(sky, { ...ALL, cutOffDeg }, "constellation", 0)).groups;
        const low = new Map(at(Math.min(a, b)).map((g) => [g.name, g.n]));
        for (const { name, n } of at(Math.max(a, b)))
          for (let bin = 0; bin < BINS; bin++) expect(n[bin]!).toBeLessThanOrEqual(low.get(name)?.[bin] ?? 0);
      }),
    );
  });

  it("has the quartiles of numpy", () => {
    // numpy.percentile([...], [25, 50, 75])
    expect(quartiles([1, 2, 3, 4])).toEqual([1.75, 2.5, 3.25]);
    expect(quartiles([10, 20, 30, 40, 50])).toEqual([20, 30, 40]);
    expect(quartiles([7])).toEqual([7, 7, 7]);
    expect(quartiles([])).toEqual([Number.NaN, Number.NaN, Number.NaN]);
    const sky = skyOf(
      Array.from({ length: 101 }, (_, i) => ({
        timeMs: START_MS + i * STEP_MS,
        seen: [{ prn: "E11", el: 42, az: 0, cn0: { x: 30 + ((i * 37) % 101) / 10 } }],
      })),
    );
    const [group] = runAtOnce(elevationBins(sky, ALL, "constellation", 0)).groups;
    expect([group?.n[8], group?.lower[8], group?.median[8], group?.upper[8]]).toEqual([101, 32.5, 35, 37.5]);
  });
});

describe("C/N0 over the sky", () => {
  it("assigns every value to one cell, with the mean of its values", () => {
    fc.assert(
      fc.property(epochs, cutOff, (list, cutOffDeg) => {
        const sky = skyOf(list);
        const { n, meanDbHz, outside } = runAtOnce(heatMap(sky, { ...ALL, cutOffDeg }, 0));
        const band = sky.bands[0]?.name ?? "";
        const passing = list
          .flatMap((e) => e.seen)
          .filter((s) => s.cn0[band] !== undefined && (cutOffDeg === 0 || s.el >= cutOffDeg));
        expect(sum(n) + outside).toBe(passing.length);
        const placed = passing.filter((s) => s.el >= 0 && s.el <= 90 && !Number.isNaN(s.az));
        const total = sum(Array.from(n, (count, cell) => (count > 0 ? count * meanDbHz[cell]! : 0)));
        expect(total).toBeCloseTo(sum(placed.map((s) => s.cn0[band]!)), 6);
      }),
    );
  });

  it("has one cell for north at 0° and 360°, and cells up to the zenith", () => {
    expect([skyCell(0, 0), skyCell(360, 0), skyCell(-1e-15, 0), skyCell(720, 4.9)]).toEqual([0, 0, 0, 0]);
    expect([skyCell(359, 0), skyCell(90, 90), skyCell(90, 90.1), skyCell(90, -0.1)]).toEqual([
      AZIMUTHS - 1,
      17 * AZIMUTHS + 18,
      -1,
      -1,
    ]);
  });
});

describe("satellites in view", () => {
  it("do not increase with a higher cut-off or with fewer constellations", () => {
    fc.assert(
      fc.property(epochs, cutOff, fc.nat(KINDS - 1), (list, cutOffDeg, without) => {
        const sky = skyOf(list);
        const all = runAtOnce(countInView(sky, ALL));
        list.forEach((e, epoch) => expect(sum(all.subarray(epoch * KINDS, (epoch + 1) * KINDS))).toBe(e.seen.length));
        const shown = ALL.shown.map((_, kind) => (kind === without ? 0 : 1));
        const fewer = runAtOnce(countInView(sky, { cutOffDeg, shown }));
        fewer.forEach((n, i) => expect(n).toBeLessThanOrEqual(i % KINDS === without ? 0 : all[i]!));
      }),
    );
  });

  it("are the same in columns of any width, and zero without observations", () => {
    const two = ["G01", "E11"].map((prn) => ({ prn, el: 45, az: 0, cn0: {} }));
    const steps = [...Array.from({ length: 100 }, (_, i) => i), ...Array.from({ length: 100 }, (_, i) => 150 + i)];
    const sky = skyOf(steps.map((n) => ({ timeMs: START_MS + n * STEP_MS, seen: n === 170 ? [] : two })));
    const range = { startMs: START_MS, endMs: START_MS + 250 * STEP_MS };
    const counts = runAtOnce(countInView(sky, ALL));
    for (const columns of [25, 250, 500]) {
      const { epochs: observed, mean, max } = viewColumns(sky, counts, range, columns);
      expect(max).toBe(2);
      const per = columns / 250;
      const isOpen = (column: number): boolean =>
        (column >= 100 * per && column < 150 * per) || (per >= 1 && Math.floor(column / per) === 170);
      observed.forEach((n, column) => {
        expect(n > 0).toBe(!isOpen(column));
        for (const kind of [0, 2]) expect(mean[kind * columns + column]).toBe(isOpen(column) ? 0 : 1);
      });
    }
  });
});

describe("the range read for the satellites view", () => {
  it("is the whole range in parts, limited to 31 days, or to about a day at 1 s", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 * DAY_MS }),
        fc.nat(DAY_MS),
        fc.constantFrom(1_000, 30_000, 3_600_000),
        (length, shift, stepMs) => {
          const requested = { startMs: START_MS + shift, endMs: START_MS + shift + length };
          const read = readableRange(requested, stepMs);
          expect(read.endMs).toBe(requested.endMs);
          expect(durationMs(read)).toBe(Math.min(length, stepMs === 1_000 ? 89_280_000 : 31 * DAY_MS));
          const parts = loadParts(read, stepMs);
          expect([parts[0]?.startMs, parts.at(-1)?.endMs]).toEqual([read.startMs, read.endMs]);
          parts.slice(1).forEach((part, i) => expect(part.startMs).toBe(parts[i]?.endMs));
          expect(Math.max(...parts.map((part) => durationMs(part) / stepMs))).toBeLessThanOrEqual(3_600);
        },
      ),
    );
  });
});

describe("CSV files of the satellites view", () => {
  const list = [
    {
      timeMs: START_MS,
      seen: [
        { prn: "G01", el: 45.5, az: 10, cn0: { "1": 44.5 } },
        { prn: "-7", el: Number.NaN, az: 5, cn0: {} },
      ],
    },
    { timeMs: START_MS + STEP_MS, seen: [] },
  ];
  it("contain shown values, with units in column names and empty fields for missing values", () => {
    const sky = skyOf(list);
    expect(skyCsv(sky, ALL, 0).split("\r\n")).toEqual([
      "time,prn,constellation,el_deg,az_deg,cn0_1_dbhz",
      "2026-01-01T00:00:00.000Z,G01,GPS,45.5,10,44.5",
      "2026-01-01T00:00:00.000Z,'-7,Other,,5,",
      "",
    ]);
    expect(skyCsv(sky, { ...ALL, cutOffDeg: 50 }, 0).split("\r\n")).toHaveLength(2);
    expect(inViewCsv(sky, runAtOnce(countInView(sky, ALL)))).toBe(
      "time,in_view_gps,in_view_other\r\n2026-01-01T00:00:00.000Z,1,1\r\n",
    );
    expect(binsCsv(runAtOnce(elevationBins(sky, ALL, "constellation", 0)))).toContain(
      "\r\nGPS,45,50,1,44.5,44.5,44.5\r\n",
    );
  });
});

const sat = (prn: string, el = 30): Seen => ({ prn, el, az: 100, cn0: { "1": 40 } });
const minute = (n: number): number => START_MS + n * 60_000;
const byPrn = (list: readonly Epoch[], filter = ALL) =>
  new Map(passesOf(skyOf(list), filter).map((satellite) => [satellite.prn, satellite]));

describe("passes of satellites", () => {
  /** Epochs of four hours; G01 is in view from 60 to 180 min, E11 throughout, G02 in every second epoch up to 100 min. */
  const fourHours = Array.from({ length: 480 }, (_, i) => ({
    timeMs: START_MS + i * STEP_MS,
    seen: [
      sat("E11"),
      ...(i >= 120 && i <= 360 ? [sat("G01", i < 130 ? 3 : 30)] : []),
      ...(i % 2 === 0 && i <= 200 ? [sat("G02")] : []),
    ],
  }));

  it("are from rising to setting, with the share of tracked epochs", () => {
    const found = byPrn(fourHours);
    expect(found.get("G01")?.passes).toEqual([
      { riseMs: minute(60), setMs: minute(180), isCut: { atRise: false, atSet: false }, tracked: 241, expected: 241 },
    ]);
    expect(found.get("E11")?.passes[0]?.isCut).toEqual({ atRise: true, atSet: true });
    expect(found.get("G02")?.passes).toMatchObject([{ setMs: minute(100), isCut: { atRise: true, atSet: false } }]);
    expect(completenessOf(found.get("G02")!)).toBeCloseTo(101 / 201, 9);
    // Above a cut-off, a satellite rises later.
    expect(byPrn(fourHours, { ...ALL, cutOffDeg: 10 }).get("G01")?.passes[0]?.riseMs).toBe(minute(65));
  });

  it("continue over an outage of the station, and end if only the satellite is lost", () => {
    const outage = fourHours.filter((_, i) => i < 200 || i > 320);
    expect(byPrn(outage).get("G01")?.passes).toMatchObject([{ riseMs: minute(60), tracked: 120, expected: 120 }]);
    const lost = fourHours.map((epoch, i) =>
      i > 200 && i < 320 ? { ...epoch, seen: epoch.seen.filter(({ prn }) => prn !== "G01") } : epoch,
    );
    const g01 = byPrn(lost).get("G01")!;
    expect(g01.passes.map(({ riseMs, setMs }) => [riseMs, setMs])).toEqual([
      [minute(60), minute(100)],
      [minute(160), minute(180)],
    ]);
    expect([minute(0), minute(130), minute(170)].map((ms) => passAt(g01, ms)?.riseMs)).toEqual([
      minute(60),
      minute(60),
      minute(160),
    ]);
  });

  it("count every shown entry once, for any rows", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 200 }), fc.subarray(PRNS)), { maxLength: 60 }),
        (rows) => {
          let slot = 0;
          const list = rows.map(([step, prns]) => ({
            timeMs: START_MS + (slot += step) * STEP_MS,
            seen: prns.map((prn) => sat(prn)),
          }));
          const found = passesOf(skyOf(list), ALL);
          const tracked = new Map(found.map((s) => [s.prn, s.passes.reduce((sum, pass) => sum + pass.tracked, 0)]));
          for (const prn of PRNS)
            expect(tracked.get(prn) ?? 0).toBe(list.filter((epoch) => epoch.seen.some((s) => s.prn === prn)).length);
          for (const { passes } of found)
            for (const pass of passes) {
              expect(pass.tracked).toBeLessThanOrEqual(pass.expected);
              expect(pass.riseMs).toBeLessThanOrEqual(pass.setMs);
            }
        },
      ),
    );
  });
});
