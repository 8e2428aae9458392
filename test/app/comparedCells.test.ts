import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it, type TestContext } from "vitest";
import { writeCost } from "#formats/cost/index.ts";
import { writeTimeSeriesCsv } from "#formats/csv/index.ts";
import { writeTimeSeriesNetcdf } from "#formats/netcdf/index.ts";
import { writeParquetFile } from "#formats/parquet/index.ts";
import { writeSinexTro } from "#formats/sinex/index.ts";
import type { SeriesFileSource } from "#formats/source.ts";
import { writeTimeSeriesXlsx } from "#formats/xlsx/index.ts";
import { differenceStatistics } from "#main/analysis/compare/differences.ts";
import { pairEpochs } from "#main/analysis/compare/pairing.ts";
import { comparedSeries } from "#main/analysis/compare/series.ts";
import { compareSources } from "#main/app/comparison/compare.ts";
import { type FileContent, fileSide } from "#main/app/comparison/fileSource.ts";
import { cacheSource, type Source } from "#main/app/comparison/sources.ts";
import { writePlainSqlite } from "#main/export/sqlite.ts";
import { resample } from "#main/analysis/resample.ts";
import type { Comparison, Pairing } from "#shared/comparison.ts";
import type { SeriesRows } from "#shared/series/rows.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { DAY_MS, type PlainSource, sourceOf, START_MS, station } from "../formats/sources.ts";
import type { SeriesFile } from "#formats/open/index.ts";
import type { FileSeries } from "#shared/file/opened.ts";
import { cellOfInterval, POINT } from "#shared/series/cell.ts";
import { heightsOf, surfaceNamed } from "#shared/station/position.ts";
import { openedSeries } from "../formats/open/support.ts";
import { readZarr } from "../formats/zarrReader.ts";
import { mustSucceed, scratchFolder } from "../formats/tools.ts";
import { gateCases, gateShare } from "../support/endurance.ts";
import { numpyStatistics } from "./numpyStatistics.ts";
import { valueOf } from "../support/valueOf.ts";

const folder = scratchFolder();
const RANGE = { startMs: START_MS, endMs: START_MS + 2 * DAY_MS };
const STEP_MS = 300_000;
const MODES = [null, 900, 21_600] as const;
type Mode = (typeof MODES)[number];

const STATIONS = [
  station(0, { displayName: "Kallio", height: 45.25, heightReference: "WGS84_ELLIPSOID" }),
  station(1, { displayName: "Heinäniemi", latitudeDeg: 61, height: 27.5, heightReference: "EGM2008" }),
];

/** Observations of two days with gaps, in steps of 0.1 mm; the first and the last of each six hours are there. */
function observations(seed: number): PlainSource {
  const random = fc.sample(fc.double({ min: 0, max: 1, noNaN: true }), { numRuns: 2 * 577, seed });
  const rows = STATIONS.map((_, s) =>
    Array.from({ length: (2 * DAY_MS) / STEP_MS }, (__, i) => ({
      timeMs: START_MS + i * STEP_MS,
      values: { ztd: Math.round(24_000 + 900 * Math.sin(i / 40 + s) + 30 * random[577 * s + i]!) / 10 },
    })).filter((_row, i) => i % 72 === 0 || i % 72 === 71 || random[577 * s + i]! < 0.8),
  );
  return { stations: STATIONS, variables: ["ztd"], rows };
}

function blocksIn(source: SeriesFileSource, index: number, mode: Mode): SeriesRows[] {
  const blocks = source.blocks(index);
  return mode === null
    ? [...blocks]
    : [...resample(blocks, { variables: ["ztd"], range: RANGE, intervalSeconds: mode })];
}

/** The source as observations or means, as an export reads them. */
function inMode(plain: PlainSource, mode: Mode): SeriesFileSource {
  const source = sourceOf(plain);
  return { ...source, range: RANGE, intervalSeconds: mode, blocks: (index) => blocksIn(source, index, mode) };
}

/** The same as the source of a comparison, as a cache is. */
function cacheOf(plain: PlainSource, mode: Mode): Source {
  const source = sourceOf(plain);
  const stations = STATIONS.map(({ id, displayName, latitudeDeg, longitudeDeg, height, heightReference }) => ({
    id,
    displayName,
    latitudeDeg,
    longitudeDeg,
    // As a catalogue, with both heights.
    ellipsoidalHeight: heightReference === "EGM2008" ? height! + 18 : height,
    orthometricHeight: heightReference === "EGM2008" ? height : height! - 18,
  })) as unknown as CatalogueStation[];
  return cacheSource({
    name: "cache",
    details: [],
    stations,
    variable: "ztd",
    intervalSeconds: mode,
    read: (id) =>
      blocksIn(
        source,
        STATIONS.findIndex((s) => s.id === id),
        mode,
      ),
  });
}

type Write = (path: string, source: SeriesFileSource) => Promise<string>;
const FORMATS: Readonly<Record<string, Write>> = {
  "a.csv": async (path, source) =>
    mustSucceed(
      await writeTimeSeriesCsv(path, source, {
        stationFields: ["station_name", "latitude_deg", "longitude_deg", "height_m", "height_reference"],
      }),
    ).path,
  "a.xlsx": async (path, source) =>
    mustSucceed(
      await writeTimeSeriesXlsx(path, source, {
        stationFields: ["latitude_deg", "longitude_deg", "height_m", "height_reference"],
      }),
    ).path,
  "a.parquet": async (path, source) => mustSucceed(await writeParquetFile(path, source)).path,
  async "a.sqlite"(path, series) {
    mustSucceed(await writePlainSqlite(path, { series, satellites: null }, {}));
    return path;
  },
  "a.nc": async (path, source) => mustSucceed(await writeTimeSeriesNetcdf(path, source, { layout: "grid" })).path,
  "ragged.nc": async (path, source) =>
    mustSucceed(await writeTimeSeriesNetcdf(path, source, { container: "netcdf3", layout: "ragged" })).path,
  "a.zarr": async (path, source) =>
    mustSucceed(await writeTimeSeriesNetcdf(path, source, { container: "zarr", layout: "grid" })).path,
  "a.cost": async (path, source) => mustSucceed(await writeCost(path, source)).path,
  "a.tro": async (path, source) => mustSucceed(await writeSinexTro(path, source)).path,
};

/** What a Zarr store says of its series, by CF alone: it is not opened by this program. */
async function zarrSeries(
  path: string,
): Promise<Pick<SeriesFile, "format" | "title" | "source" | "notes" | "series" | "rows" | "close">> {
  const arrays = await readZarr(path);
  const values = (name: string): readonly (number | string | null)[] => arrays.get(name)!.values;
  const of = (name: string, attribute: string): string => String(arrays.get(name)!.attributes[attribute]);
  const timesMs = Float64Array.from(values("time"), Number);
  const [start, end] = (arrays.get("time_bnds")?.values ?? [0, 0]).map(Number);
  const cell = of("ztd", "cell_methods").includes("point") ? POINT : cellOfInterval((end! - start!) / 1_000);
  const ids = values("station_id").map(String);
  const heights = (i: number) =>
    ["height", "altitude"].flatMap((name) => {
      const metres = arrays.get(name)?.values[i] ?? null;
      return metres === null ? [] : [[surfaceNamed(of(name, "height_vertical_reference")), Number(metres)]];
    });
  const quantity = { name: "ztd", longName: null, standardName: null, unit: of("ztd", "units"), conversion: null };
  const series = ids.map((id, i): FileSeries => ({
    id: String(i),
    label: id,
    stationId: id,
    satellite: null,
    position: {
      latitudeDeg: Number(values("lat")[i]),
      longitudeDeg: Number(values("lon")[i]),
      heights: heightsOf(Object.fromEntries(heights(i))),
    },
    quantity: { ...quantity, variable: "ztd" },
    cell,
    rows: timesMs.length,
    range: { startMs: timesMs[0]!, endMs: timesMs.at(-1)! + 1 },
    timesId: "all",
  }));
  const rows = (index: number) => ({
    timesMs,
    values: timesMs.map((_, t) => Number(values("ztd")[t * ids.length + index] ?? Number.NaN)),
  });
  return { format: "netcdf4", title: null, source: null, notes: [], series, rows, close() {} };
}

async function fileOf(path: string): Promise<{ readonly source: Source; close(): void }> {
  const file = path.endsWith(".zarr") ? await zarrSeries(path) : await openedSeries(path);
  const content: FileContent = {
    name: "file",
    description: file,
    series: file.series,
    grids: [],
    read: (id) => Promise.resolve({ ok: true, value: file.rows(file.series.findIndex((s) => s.id === id)) }),
    readPoints: () => Promise.resolve({ ok: true, value: [] }),
  };
  const side = fileSide(content, { variable: "ztd", pressure: null, grid: "bilinear" });
  const source = side.source(null, side.positions);
  if (!source.ok) throw new Error(source.error.message);
  return { source: source.value, close: () => file.close() };
}

async function compared(a: Source, b: Source, pairing: Pairing): Promise<Comparison> {
  return valueOf(
    await compareSources(
      a,
      b,
      {
        variable: "ztd",
        range: RANGE,
        pairing,
        rejectSigmas: null,
        height: "none",
        groupings: [],
        withinKm: 1,
        chosen: { pairs: new Map(), unmatchedA: new Set(), unmatchedB: new Set() },
      },
      { yieldIfDue: () => Promise.resolve() },
    ),
  );
}

const PAIRINGS: readonly Pairing[] = [
  { kind: "nearest", toleranceMs: null },
  { kind: "linear", mostGapMs: null },
  { kind: "mean", intervalMs: 3_600_000 },
  { kind: "mean", intervalMs: 21_600_000 },
];

/** The pairs of two series of one station: as many as the rows of the longer cells, or intervals with a row. */
function expectedPairs(plain: PlainSource, index: number, modes: readonly Mode[], pairing: Pairing): number {
  const longest = Math.max(...modes.map((mode) => mode ?? 0), pairing.kind === "mean" ? pairing.intervalMs / 1_000 : 0);
  return blocksIn(sourceOf(plain), index, (longest === 0 ? null : longest) as Mode).reduce(
    (n, block) => n + block.timesMs.length,
    0,
  );
}

describe.each(gateShare(Object.entries(FORMATS)))("an export compared with its source: %s", (name, write) => {
  it("has no difference, for observations and means, and heights of both references", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 1e6 }), async (seed) => {
        const plain = observations(seed);
        // COST-716 has means only, with one decimal.
        const isCost = name === "a.cost";
        for (const ofFile of MODES.filter((mode) => mode !== null || !isCost)) {
          const file = await fileOf(await write(join(folder, `${ofFile}-${name}`), inMode(plain, ofFile)));
          for (const ofCache of MODES)
            for (const pairing of gateShare(PAIRINGS)) {
              // Means of means: how many observations a mean has is not known, and gaps weigh differently.
              const isExact = ofFile === null || ofCache === null || ofFile === ofCache;
              const [mm, r] = !isExact ? [3, 0.9] : isCost ? [0.06, 0.999] : [5e-4, 1 - 1e-6];
              const { sites, method } = await compared(cacheOf(plain, ofCache), file.source, pairing);
              const found = sites.map(({ statistics: s, match }) => [
                s.n,
                Math.abs(s.biasMm) < mm && s.stdMm < mm && s.correlation > r
                  ? true
                  : [s.biasMm, s.stdMm, s.correlation],
                Math.abs(match.heightDifference ?? Number.NaN) < 1e-3 && match.isSameReference,
              ]);
              const expected = STATIONS.map((_, i) => [
                expectedPairs(plain, i, [ofFile, ofCache], pairing),
                true,
                true,
              ]);
              expect({ ofFile, ofCache, pairing, found }).toEqual({ ofFile, ofCache, pairing, found: expected });
              const isAveraged = method.join(" ").includes("were averaged over the intervals of the other");
              expect(isAveraged).toBe(ofFile !== ofCache);
            }
          file.close();
        }
      }),
      { numRuns: 1 },
    );
  });
});

describe("pairs of any two series", () => {
  it("are those of an independent implementation in numpy", (context: TestContext) => {
    const cell = fc.constantFrom(0, 900_000, 3_600_000, 21_600_000);
    const series = fc
      .record({
        cellMs: cell,
        stepMs: fc.constantFrom(30_000, 300_000, 700_000),
        seed: fc.nat(1e6),
        share: fc.double({ min: 0.3, max: 1, noNaN: true }),
      })
      .map(({ cellMs, stepMs, seed, share }) => {
        const step = cellMs > 0 ? cellMs : stepMs;
        // Phases differ from row to row by at most a third, so that no two rows are equally near to one.
        const count = Math.min(600, Math.floor((5 * DAY_MS) / step));
        const random = fc.sample(fc.double({ min: 0, max: 1, noNaN: true }), { numRuns: 2 * count, seed });
        const kept = Array.from({ length: count }, (_, i) => i).filter((i) => random[i]! < share);
        const jitter = (i: number): number => (cellMs > 0 ? 0 : Math.round((random[count + i]! * step) / 4));
        return {
          timesMs: Float64Array.from(kept, (i) => START_MS + i * step + jitter(i)),
          values: Float64Array.from(kept, (i) => 2_400 + 20 * Math.sin((i * step) / 7e6) + random[count + i]!),
          cellMs,
        };
      });
    const pairing = fc.constantFrom<Pairing>(...PAIRINGS, { kind: "nearest", toleranceMs: 2_000 });
    const sampled = fc.sample(fc.tuple(series, series, pairing), { numRuns: gateCases(150), seed: 37 });
    const theirs = numpyStatistics(
      context,
      sampled.map(([a, b, pairing]) => ({ a, b, pairing })),
    );
    const everything = { range: { startMs: -Infinity, endMs: Infinity }, isOpen: true };
    sampled.forEach(([a, b, way], i) => {
      const pairs = pairEpochs(comparedSeries(a, a.cellMs), comparedSeries(b, b.cellMs), way, everything);
      const ours = differenceStatistics(pairs.a.values, pairs.b.values, pairs.stretches);
      const expected = theirs[i]!;
      expect({ i, n: ours.n }).toEqual({ i, n: expected.n });
      if (ours.n < 2) return;
      expect(ours.biasMm).toBeCloseTo(expected.bias, 9);
      expect(ours.stdMm).toBeCloseTo(expected.std, 9);
      expect(ours.correlation).toBeCloseTo(expected.r, 9);
    });
    // The sample is worth something: most cases have pairs.
    expect(theirs.filter(({ n }) => n > 2).length).toBeGreaterThan(sampled.length / 2);
  });
});
