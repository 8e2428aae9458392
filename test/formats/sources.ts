import * as fc from "fast-check";
import type { Column, SeriesRows } from "#shared/series/rows.ts";
import { variableKind, type Variable } from "#shared/service/variables.ts";
import type { FileStation, SeriesFileSource } from "#formats/source.ts";

export const START_MS = Date.UTC(2026, 0, 1);
export const DAY_MS = 86_400_000;

/** One row of test data: numbers and texts, null for a missing value. */
export interface PlainRow {
  readonly timeMs: number;
  readonly values: Partial<Record<Variable, number | string | null>>;
}

export interface PlainSource {
  readonly stations: readonly FileStation[];
  readonly variables: readonly Variable[];
  /** Rows per station, in time order. */
  readonly rows: readonly (readonly PlainRow[])[];
  readonly intervalSeconds?: number | null;
  readonly raw?: boolean;
  /** Rows per block; results must not depend on it. */
  readonly blockRows?: number;
}

export function station(i: number, over: Partial<FileStation> = {}): FileStation {
  return {
    id: `00000000-0000-4000-8000-${String(i).padStart(12, "0")}`,
    displayName: `Station ${i}`,
    networkCode: "NET",
    countryCode: "FI",
    locationAlias: "Kökar",
    sourceType: "cors",
    latitudeDeg: 60 + i / 1000,
    longitudeDeg: 20.5,
    height: 50.25 + i,
    heightReference: "WGS84_ELLIPSOID",
    ...over,
  };
}

export function sourceOf(plain: PlainSource): SeriesFileSource {
  return {
    stations: plain.stations,
    variables: plain.variables,
    range: { startMs: START_MS, endMs: START_MS + 31 * DAY_MS },
    intervalSeconds: plain.intervalSeconds ?? null,
    raw: plain.raw ?? false,
    provenance: {
      title: "Zenith delays of a test",
      summary: "Made for a test: ÄÖ, 東京.",
      institution: "Test institute",
      service: "https://service.example",
      isSimulated: false,
      program: "Zenith Desk 0.0.0",
      createdAtMs: START_MS,
      query: '{"raw":false}',
      coverage: "All of it.",
    },
    *blocks(index) {
      const rows = plain.rows[index]!;
      const size = plain.blockRows ?? 1_000;
      for (let from = 0; from < rows.length; from += size) {
        yield blockOf(rows.slice(from, from + size), plain.variables);
      }
    },
  };
}

function blockOf(rows: readonly PlainRow[], variables: readonly Variable[]): SeriesRows {
  const columns = Object.fromEntries(
    variables.map((variable): [Variable, Column] => {
      const cells = rows.map((r) => r.values[variable] ?? null);
      return variableKind(variable) === "scalar"
        ? [
            variable,
            {
              kind: "scalar",
              values: Float64Array.from(cells, (c) => (c === null ? Number.NaN : Number(c))),
              present: null,
            },
          ]
        : [variable, { kind: "text", values: cells.map((c) => (c === null ? null : String(c))), present: null }];
    }),
  );
  return { timesMs: Float64Array.from(rows, (r) => r.timeMs), columns };
}

/** `rows` epochs of 30 s with plausible values of 0.1 mm, some of them missing. */
export function regularRows(rows: number, seed: number, stepMs = 30_000): PlainRow[] {
  return Array.from({ length: rows }, (_, i) => ({
    timeMs: START_MS + i * stepMs,
    values: {
      ztd: Math.round(23_000 + 500 * Math.sin((i + seed) / 300) + ((i * 7919 + seed) % 17)) / 10,
      ztd_sigma: Math.round(10 + (i % 9)) / 10,
      pwv: i % 10 === 0 ? Math.round(100 + (i % 50)) / 10 : null,
    },
  }));
}

/** Doubles of all kinds: integers, few decimals, full precision, tiny, huge, negative zero. */
export const anyDouble = fc.oneof(
  fc.integer({ min: -100_000, max: 100_000 }).map((n) => n / 10),
  fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }).map((n) => n / 10_000),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.double({ noNaN: true, min: 2_000, max: 3_000 }),
  fc.constantFrom(0, -0, 5e-324, 1.7976931348623157e308, 0.1 + 0.2, 1e21, 1e-7, 999_999_999.9999, 123_456_789_012),
);

/** Whether a number is plausible in cm or m alone, so that its unit is asked. */
function isOther(value: number): boolean {
  return (value >= 1 && value <= 3) || (value >= 100 && value <= 300) || (value > 0 && value < 0.15);
}

/** Stations with rows at regular or irregular times, with gaps. */
export function plainSource(variables: readonly Variable[]): fc.Arbitrary<PlainSource> {
  // Nines outside of the plausible range mean no value in a table.
  const cell = fc.option(
    anyDouble.filter((value) => !/^-?9+(\.9+)?$/.test(String(value)) && !isOther(value)),
    { freq: 5 },
  );
  const rows = fc
    .tuple(
      fc.constantFrom(1, 30_000, 1_000, 45_000),
      fc.uniqueArray(fc.integer({ min: 0, max: 400 }), { maxLength: 120 }),
    )
    .chain(([stepMs, slots]) =>
      fc.tuple(
        ...slots
          .toSorted((a, b) => a - b)
          .map((slot) =>
            fc.tuple(...variables.map(() => cell)).map((cells): PlainRow => ({
              timeMs: START_MS + slot * stepMs,
              values: Object.fromEntries(variables.map((v, i) => [v, cells[i]!])),
            })),
          ),
      ),
    );
  return fc
    .record({ rows: fc.array(rows, { minLength: 1, maxLength: 5 }), blockRows: fc.integer({ min: 1, max: 50 }) })
    .map(({ rows, blockRows }) => ({ stations: rows.map((_, i) => station(i)), variables, rows, blockRows }));
}
