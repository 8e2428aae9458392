import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BandRegistry } from "#shared/satellites/cn0.ts";
import { readColumns } from "#shared/satellites/columns.ts";
import { SatelliteReader } from "#shared/satellites/numbers.ts";
import { type Cache, openCache } from "#main/store/index.ts";
import { blockOfTexts, type SatelliteBlock } from "#shared/series/satelliteBlock.ts";
import { SATELLITE_VARIABLES, type Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { anyText } from "./arbitraries.ts";
import { temporaryFolders } from "../support/folder.ts";
import { settled } from "../support/judge.ts";
import { gateCases } from "../support/endurance.ts";

const folder = temporaryFolders();
let cache: Cache;
beforeAll(() => {
  cache = openCache(`${folder()}/cache.db`);
});
afterAll(() => cache.close());

type Texts = Partial<Record<Variable, (string | null)[]>>;

const START_MS = Date.UTC(2026, 0, 1, 5, 57);
const STEP_MS = 30_000;
let stations = 0;

/** Stores responses of texts and returns a function that reads them from the cache; by default the whole range. */
function cached(rows: number, answers: readonly Texts[]): (range?: TimeRange) => SatelliteBlock[] {
  const stationId = `station-${stations++}`;
  const timesMs = Float64Array.from({ length: rows }, (_, i) => START_MS + i * STEP_MS);
  const whole = { startMs: START_MS, endMs: START_MS + rows * STEP_MS };
  const mode = { intervalSeconds: null, raw: false };
  for (const texts of answers) {
    const variables = SATELLITE_VARIABLES.filter((variable) => texts[variable]);
    const answer = cache.openResponse({ stationIds: [stationId], variables, range: whole, ...mode });
    answer.add({ stationId, timesMs, scalars: {}, texts });
    answer.commit(settled(whole));
  }
  return (range = whole) => {
    const selection = { stationId, variables: SATELLITE_VARIABLES, range, ...mode };
    const blocks = [...cache.satellites(selection)];
    expect(blocks.map((block) => block.texts())).toEqual([...cache.blocks(selection)]);
    return blocks;
  };
}

function readAll(blocks: readonly SatelliteBlock[]) {
  const bands = new BandRegistry();
  const reader = new SatelliteReader(bands);
  return { blocks: blocks.map((block) => reader.read(block)), bands: bands.names, problems: reader.problems };
}

/** Reads the texts with the parser only. */
function parseAll(blocks: readonly SatelliteBlock[]) {
  return readAll(blocks.map((block) => blockOfTexts(block.texts())));
}

const decimal = fc
  .tuple(fc.integer({ min: -999, max: 9_999_999 }), fc.integer({ min: 0, max: 6 }))
  .map(([value, decimals]) => (value / 10 ** decimals).toFixed(decimals));
const tenth = fc.integer({ min: 0, max: 3600 }).map((v) => (v / 10).toFixed(1));
const part = fc.oneof({ weight: 8, arbitrary: tenth }, decimal, fc.constantFrom("", "-", "NaN", " 4.5", "null"));
const hostile = fc.constantFrom(
  "L1=45.1",
  "45.1/",
  "/38.2",
  "1e3",
  "05",
  "-0.0",
  "1.",
  ".5",
  "4;5",
  "4|5",
  " ",
  "é",
  "+3",
);
/** Values of one satellite by layout, which is the same in a whole column. */
const layouts = [
  tenth,
  part,
  fc.tuple(tenth, tenth).map((parts) => parts.join("/")),
  fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/")),
  fc.array(part, { minLength: 1, maxLength: 20 }).map((parts) => parts.join(":")),
  fc.oneof({ weight: 12, arbitrary: tenth }, hostile),
  fc.oneof(hostile, part),
];
const name = fc.oneof(
  { weight: 60, arbitrary: fc.constantFrom("G01", "G05", "R11", "E02", "C30", "J03") },
  { weight: 1, arbitrary: fc.constantFrom("", " G07", "G 1", "place 0", "é", "G01,G01") },
);

type Row = Record<(typeof SATELLITE_VARIABLES)[number], string | null>;

const listOf = (count: number, value: fc.Arbitrary<string>): fc.Arbitrary<string | null> =>
  fc.array(value, { minLength: count, maxLength: count }).map((list) => list.join(","));
const column = (count: number, value: fc.Arbitrary<string>, isOdd: boolean): fc.Arbitrary<string | null> =>
  fc.oneof(
    { weight: 20, arbitrary: listOf(count, value) },
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: isOdd ? 1 : 0, arbitrary: fc.constantFrom("", ",") },
    { weight: isOdd ? 1 : 0, arbitrary: fc.array(value, { maxLength: 2 * count }).map((list) => list.join(",")) },
  );

const anyRows: fc.Arbitrary<Row[]> = fc
  .boolean()
  .chain((isOdd) =>
    fc.record({
      el: fc.constantFrom(...layouts.slice(0, isOdd ? undefined : 2)),
      az: fc.constantFrom(...layouts.slice(0, 2)),
      snr: fc.constantFrom(...layouts.slice(0, isOdd ? undefined : 5)),
      isOdd: fc.constant(isOdd),
    }),
  )
  .chain(({ el, az, snr, isOdd }) => {
    const names = isOdd ? fc.array(name, { maxLength: 5 }) : fc.subarray(["G01", "G05", "R11", "E02"]);
    const row = names.chain((list) => {
      const values = (value: fc.Arbitrary<string>) =>
        list.length === 0 ? fc.constant(null) : column(list.length, value, isOdd);
      return fc.record({
        prn: list.length === 0 ? fc.constant(null) : fc.constant(list.join(",")),
        el: values(el),
        az: values(az),
        snr: values(snr),
      });
    });
    return fc.array(row, { minLength: 1, maxLength: 14 });
  });

const textsOf = (rows: readonly Row[]): Texts =>
  Object.fromEntries(SATELLITE_VARIABLES.map((variable) => [variable, rows.map((row) => row[variable])]));

describe("satellites of the cache as numbers", () => {
  it("equal their texts in any layout, any part of a range, and any division into responses", () => {
    let direct = 0;
    const anything = fc.array(fc.record({ prn: anyText, el: anyText, az: anyText, snr: anyText }), {
      minLength: 1,
      maxLength: 12,
    });
    const rowsOf = fc.oneof({ weight: 3, arbitrary: anyRows }, anything);
    const laterOf = fc.subarray<Variable>([...SATELLITE_VARIABLES], { maxLength: 3 });
    fc.assert(
      fc.property(rowsOf, laterOf, fc.nat(16), fc.nat(16), (rows, later, from, length) => {
        const all = textsOf(rows);
        const part = (wanted: (variable: Variable) => boolean): Texts =>
          Object.fromEntries(Object.entries(all).filter(([variable]) => wanted(variable as Variable)));
        const answers = [part((v) => !later.includes(v)), part((v) => later.includes(v))];
        const read = cached(rows.length, later.length === 0 ? [all] : answers);
        const range = { startMs: START_MS + from * STEP_MS, endMs: START_MS + (from + length) * STEP_MS + 1 };
        for (const blocks of [read(), read(range)]) {
          expect(readAll(blocks)).toEqual(parseAll(blocks));
          for (const { timesMs, columns } of blocks)
            if (columns && readColumns(timesMs, columns, new BandRegistry())) direct++;
        }
      }),
      { numRuns: gateCases(450) },
    );
    // Otherwise only the parser would be tested.
    expect(direct).toBeGreaterThan(gateCases(60));
  });

  it("are decoded without texts in the layouts of receivers", () => {
    const names = ["G01,G05,R11", "G01,G05,R11", "G05,R11", "G05,R11,E02"];
    const list = (value: (i: number) => string) =>
      names.map((text) =>
        text
          .split(",")
          .map((_, i) => value(i))
          .join(),
      );
    for (const snr of [
      list((i) => `${40 + i}.5`),
      list((i) => `${40 + i}`),
      list((i) => `4${i}.25/3${i}.5`),
      list((i) => (i === 1 ? "45.0" : "44.0/41.5")),
      list((i) => (i === 1 ? "" : "44.0")),
      list((i) => (i === 1 ? "NaN" : "44.0")),
    ]) {
      const texts = { prn: names, el: list((i) => `${i * 10}.5`), az: list((i) => `${300 + i}.0`), snr };
      const blocks = cached(names.length, [texts])();
      expect(readAll(blocks)).toEqual(parseAll(blocks));
      for (const { timesMs, columns } of blocks)
        expect(columns && readColumns(timesMs, columns, new BandRegistry())).not.toBeNull();
    }
  });
});
