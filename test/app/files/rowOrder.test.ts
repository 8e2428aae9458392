import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FileSeries } from "#shared/file/opened.ts";
import type { SeriesFile } from "#formats/open/index.ts";
import type { ReadableFile } from "#main/app/files/read.ts";
import { readFileRowOrder, readFileRowsAt } from "#main/app/files/rowOrder.ts";
import { createPace } from "#main/app/pace.ts";

const never = new AbortController().signal;
const value = fc.oneof(fc.constant(Number.NaN), fc.integer({ min: -3, max: 3 }));
const table = fc.array(fc.tuple(fc.nat(3), value, value), { maxLength: 40 });
const bound = fc.option(fc.integer({ min: -3, max: 3 }));
const column = fc.option(fc.constantFrom("0", "1"));

/** Rows in time order: two columns with common epochs and one with others. */
function fileOf(rows: readonly (readonly [number, number, number])[]): ReadableFile {
  let timeMs = 0;
  const timesMs = Float64Array.from(rows, ([step]) => (timeMs += step));
  const columns = [1, 2].map((c) => Float64Array.from(rows, (row) => row[c] ?? Number.NaN));
  const series = ["0", "1", "2"].map((id) => ({ id, timesId: id === "2" ? "own" : "shared" })) as FileSeries[];
  const content = { rows: (i: number) => ({ timesMs, values: columns[i]! }) } as SeriesFile;
  return { name: "some.csv", series, content };
}

describe("the order of rows of a file", () => {
  it("equals a plain filter and a stable sort, with missing values last", async () => {
    const query = fc.record({
      range: fc.tuple(fc.nat(60), fc.nat(60)).map(([a, b]) => ({ startMs: Math.min(a, b), endMs: Math.max(a, b) })),
      sort: fc.record({ by: column, isDescending: fc.boolean() }),
      filter: fc.option(fc.record({ of: column, atLeast: bound, atMost: bound })),
    });
    await fc.assert(
      fc.asyncProperty(table, query, async (rows, { range, sort, filter }) => {
        const file = fileOf(rows);
        const { timesMs } = file.content.rows(0);
        const valuesOf = (id: string): Float64Array => file.content.rows(Number(id)).values;
        const found = await readFileRowOrder(file, { seriesIds: ["0", "1"], range, sort, filter }, createPace(never));
        const filtered = filter === null ? [] : filter.of === null ? ["0", "1"] : [filter.of];
        const isWithin = (x: number): boolean =>
          !Number.isNaN(x) && !(x < (filter?.atLeast ?? -Infinity)) && !(x > (filter?.atMost ?? Infinity));
        const kept = [...rows.keys()].filter(
          (row) =>
            timesMs[row]! >= range.startMs &&
            timesMs[row]! < range.endMs &&
            filtered.every((id) => isWithin(valuesOf(id)[row]!)),
        );
        const sign = sort.isDescending ? -1 : 1;
        const expected =
          sort.by === null
            ? sort.isDescending
              ? kept.toReversed()
              : kept
            : [
                ...kept
                  .filter((row) => !Number.isNaN(valuesOf(sort.by!)[row]!))
                  .toSorted((a, b) => sign * (valuesOf(sort.by!)[a]! - valuesOf(sort.by!)[b]!)),
                ...kept.filter((row) => Number.isNaN(valuesOf(sort.by!)[row]!)),
              ];
        expect(found.ok && [...found.value.rows]).toEqual(expected);
        expect(found.ok && [...found.value.timesMs]).toEqual(expected.map((row) => timesMs[row]));
        const page = readFileRowsAt(file, { seriesIds: ["1", "0"], rows: expected });
        expect(page.ok && page.value.columns.map((values) => [...values])).toEqual(
          ["1", "0"].map((id) => expected.map((row) => valuesOf(id)[row])),
        );
      }),
      { numRuns: 200 },
    );
  });

  it("is rejected for series with different epochs", async () => {
    const order = { sort: { by: "2", isDescending: false }, filter: null };
    const query = { seriesIds: ["0"], range: { startMs: 0, endMs: 9 }, ...order };
    const found = await readFileRowOrder(fileOf([[1, 1, 1]]), query, createPace(never));
    expect(found).toMatchObject({ ok: false, error: { kind: "usage" } });
  });
});
