import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RowPage } from "#shared/bridge/methods/series.ts";
import { success } from "#shared/service/error.ts";
import { cellOf, countRows, tsv } from "#renderer/features/table/cells.ts";
import { rowsInOrder } from "#renderer/features/table/order.ts";
import type { TableColumn } from "#renderer/features/table/source.ts";
import { gapsRange, type RowLocation } from "#renderer/features/table/pages.ts";
import { contentPx, firstRow, lastFirst, revealing, ROW_PX, scrollTopOf } from "#renderer/ui/grid/scroll.ts";

const START_MS = Date.UTC(2026, 10, 14);

describe("scrolling through any number of rows", () => {
  const boxes = fc.record({ rows: fc.nat({ max: 50_000_000 }), viewPx: fc.integer({ min: 100, max: 2_000 }) });

  test("stays within the bounds of browsers, reaches the first and the last row, and is reversible", () => {
    fc.assert(
      fc.property(boxes, fc.double({ min: 0, max: 1, noNaN: true }), (box, share) => {
        expect(contentPx(box)).toBeLessThanOrEqual(8_000_000);
        expect(firstRow(box, 0)).toBe(0);
        expect(firstRow(box, contentPx(box) - box.viewPx)).toBeCloseTo(lastFirst(box), 6);
        const first = share * lastFirst(box);
        expect(firstRow(box, scrollTopOf(box, first))).toBeCloseTo(first, 3);
      }),
    );
  });

  test("makes a row visible with the smallest movement", () => {
    fc.assert(
      fc.property(
        boxes,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (box, from, at) => {
          fc.pre(box.rows > 0);
          const first = from * lastFirst(box);
          const row = Math.min(box.rows - 1, Math.floor(at * box.rows));
          const next = revealing(box, first, row);
          expect(next).toBeLessThanOrEqual(row);
          expect(row + 1).toBeLessThanOrEqual(next + Math.max(1, box.viewPx / ROW_PX) + 1e-6);
          const isInSight = row >= first && row + 1 <= first + box.viewPx / ROW_PX;
          expect(isInSight ? next : first).toBe(first);
        },
      ),
    );
  });
});

function column(variable: "ztd" | "pwv" | "prn"): TableColumn {
  return {
    id: variable,
    station: null,
    heading: variable,
    copiedAs: variable,
    meaning: "",
    kind: "number",
    series: { stationId: "s", variable },
  };
}

describe("cells of the table", () => {
  test("show no gap of a step that began before the time range", () => {
    const range = { startMs: START_MS + 4 * 60_000, endMs: START_MS + 86_400_000 };
    const query = { range, mode: { intervalSeconds: null, raw: false, resampled: false } };
    const first = { startMs: range.startMs, endMs: range.startMs + 600_000 };
    expect(gapsRange(first, query).startMs).toBe(range.startMs);
    const last = { startMs: range.endMs - 600_000, endMs: range.endMs };
    expect(gapsRange(last, query).endMs).toBe(range.endMs);
    // In between, wide enough for gaps that began before the visible rows.
    const middle = { startMs: START_MS + 43_200_000, endMs: START_MS + 43_800_000 };
    expect(gapsRange(middle, query).startMs).toBeLessThanOrEqual(middle.startMs - 600_000);
  });

  const page: RowPage = {
    total: 3,
    offset: 0,
    timesMs: Float64Array.of(START_MS, START_MS + 30_000, START_MS + 60_000),
    columns: { ztd: Float64Array.of(2_400.123_456_789, NaN, -0), prn: ["G01,E11", null, "=cmd|' /C calc'!A0"] },
  };
  const row = (index: number): RowLocation => ({ page, index, timeMs: START_MS + 30_000 * index });
  const gaps = [
    {
      stationId: "s",
      variable: "ztd" as const,
      stepSeconds: 30,
      gaps: [{ range: { startMs: START_MS + 30_000, endMs: START_MS + 60_000 }, cause: "filteredOut" as const }],
      secondsByCause: {},
      untilMs: 0,
    },
  ];

  test("show the value, the known cause of its absence, or nothing", () => {
    expect(cellOf(row(0), column("ztd"), gaps)).toEqual({ text: "2,400.123", isAbsent: false, hint: "2,400.123" });
    // A quantity of a file may have any magnitude.
    const ofFile = (value: number) =>
      cellOf(
        { ...row(0), page: { ...page, columns: { ztd: Float64Array.of(value) } } },
        { ...column("ztd"), series: null },
        [],
      ).text;
    expect([ofFile(2.411_34), ofFile(1e300), ofFile(4e-12)]).toEqual(["2.41134", "1e300", "4e−12"]);
    expect(cellOf(row(1), column("ztd"), gaps)).toEqual({ text: "filtered out", isAbsent: true, hint: "filtered out" });
    expect(cellOf(row(1), column("ztd"), [])).toEqual({ text: "", isAbsent: true, hint: "" });
    const ofAnother = { ...column("ztd"), series: { stationId: "t", variable: "ztd" as const } };
    expect(cellOf(row(1), ofAnother, gaps).text).toBe("");
    expect(cellOf(row(0), column("prn"), gaps).text).toBe("G01,E11");
    expect(cellOf(row(1), column("prn"), gaps).text).toBe("");
  });

  test("name a cause only where the cadence of the variable has an epoch, once in each step", () => {
    const phases = fc.integer({ min: 0, max: 29 });
    fc.assert(
      fc.property(phases, fc.integer({ min: 0, max: 20 }), (phase, from) => {
        // PWV every 5 min, missing for an hour from some row on; ZTD in all rows, every 30 s.
        const timesMs = Float64Array.from({ length: 200 }, (_, i) => START_MS + phase * 1_000 + i * 30_000);
        const range = { startMs: timesMs[from]!, endMs: timesMs[from]! + 3_600_000 };
        const known = [
          { ...gaps[0]!, gaps: [] },
          { ...gaps[0]!, variable: "pwv" as const, stepSeconds: 300, gaps: [{ range, cause: "filteredOut" as const }] },
        ];
        const rows = { ...page, timesMs, columns: { pwv: new Float64Array(200).fill(NaN) } };
        const named = [...timesMs].filter(
          (timeMs, index) => cellOf({ page: rows, index, timeMs }, column("pwv"), known).text !== "",
        );
        expect(named).toHaveLength(12);
        expect(named.every((timeMs) => timeMs % 300_000 === phase * 1_000)).toBe(true);
      }),
    );
  });

  test("are copied at full precision, with formulas escaped", () => {
    expect(
      tsv(
        [page],
        ["ztd", "prn"].map((id) => ({ id, copiedAs: id })),
      ),
    ).toBe(
      [
        "time (UTC)\tztd\tprn",
        "2026-11-14 00:00:00\t2400.123456789\tG01,E11",
        "2026-11-14 00:00:30\t\t",
        "2026-11-14 00:01:00\t0\t'=cmd|' /C calc'!A0",
        "",
      ].join("\n"),
    );
  });

  test("are copied and counted without the lines of gaps", () => {
    const withGap = { ...page, gapEndsMs: Float64Array.of(Number.NaN, page.timesMs[2]!, Number.NaN) };
    const lines = tsv([withGap], [{ id: "ztd", copiedAs: "ztd" }])
      .trimEnd()
      .split("\n");
    expect(lines.slice(1).map((line) => line.slice(11, 19))).toEqual(["00:00:00", "00:01:00"]);
    expect([countRows(withGap), countRows(page)]).toEqual([2, 3]);
  });
});

test("the row of a time is the next epoch, in any order of rows", async () => {
  const timesMs = Float64Array.of(40, 10, 30, 20);
  const rows = rowsInOrder({ timesMs, rows: timesMs }, async () => success({ timesMs, columns: {} }));
  const found = await Promise.all([5, 10, 11, 30, 41].map((momentMs) => rows.rowAt(momentMs)));
  expect(found.map((answer) => answer.ok && answer.value)).toEqual([1, 1, 3, 2, 0]);
});
