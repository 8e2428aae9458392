import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SeriesAvailability } from "#shared/bridge/methods/availability.ts";
import { DAY_MS, HOUR_MS } from "#shared/time/utc.ts";
import { dayAt, edgePx, movedCell, MAX_DAYS, shownDays } from "#renderer/features/availability/calendarGrid.ts";
import { availabilityCsv } from "#renderer/features/availability/SaveTable.tsx";
import type { Sort } from "#renderer/ui/grid/columns.ts";
import { LEVELS, binStyle } from "#renderer/features/availability/binStyle.ts";
import { cellWords, sortLines, type StationLine, stationLines } from "#renderer/features/availability/table.ts";

const START_MS = Date.UTC(2026, 10, 14);
const EPOCHS = 2_880;

interface Bin {
  readonly expected?: number;
  readonly received?: number;
  readonly filtered?: number;
  readonly failed?: number;
  readonly notRequested?: number;
  readonly mayStillArrive?: number;
  readonly rawAsked?: number;
}

/** A response for stations with the same number of days each. */
function answer(stations: readonly (readonly Bin[])[], about: { hasEverSent?: boolean; isForbidden?: boolean } = {}) {
  const all = stations
    .flat()
    .map((bin) => ({ expected: EPOCHS, received: 0, filtered: 0, failed: 0, notRequested: 0, ...bin }));
  const counts = (of: (bin: (typeof all)[number]) => number): Uint32Array => Uint32Array.from(all, of);
  const found: SeriesAvailability = {
    firstMs: START_MS,
    binMs: DAY_MS,
    bins: stations[0]?.length ?? 0,
    nowMs: START_MS + 30 * DAY_MS,
    stations: stations.map((_, i) => ({
      stationId: `s${i}`,
      stepSeconds: 30,
      isForbidden: about.isForbidden ?? false,
      hasEverSent: about.hasEverSent ?? true,
      failedBecause: null,
    })),
    expected: counts((b) => b.expected),
    received: counts((b) => b.received),
    filtered: counts((b) => b.filtered),
    missing: counts((b) => Math.max(0, b.expected - b.received - b.filtered - b.failed - b.notRequested)),
    failed: counts((b) => b.failed),
    notRequested: counts((b) => b.notRequested),
    mayStillArrive: counts((b) => b.mayStillArrive ?? 0),
    rawAsked: Uint8Array.from(all, (b) => b.rawAsked ?? 0),
  };
  return found;
}

const only = (bin: Bin, about = {}) => binStyle(answer([[bin]], about), 0, 0);

describe("the style of a day", () => {
  test("is the level of received among requested data", () => {
    expect(only({ received: EPOCHS }).fill).toBe(LEVELS[0]);
    expect(only({ received: EPOCHS - 1 }).fill).toBe(LEVELS[0]);
    expect(only({ received: 0.98 * EPOCHS }).fill).toBe(LEVELS[1]);
    expect(only({ received: 0.5 * EPOCHS }).fill).toBe(LEVELS[2]);
    expect(only({ received: 1 }).fill).toBe(LEVELS[3]);
    const half = only({ received: EPOCHS / 2, notRequested: EPOCHS / 2 });
    expect(half).toMatchObject({ fill: LEVELS[0], requestedShare: 0.5, restCause: "notRequested" });
  });

  test("is the hatch of the cause if nothing was received", () => {
    expect(only({ notRequested: EPOCHS }).fill).toBe("notRequested");
    expect(only({ notRequested: EPOCHS }, { isForbidden: true }).fill).toBe("noAccess");
    expect(only({ failed: 10, notRequested: EPOCHS - 10 }).fill).toBe("failed");
    expect(only({}).fill).toBe("nothingOrFiltered");
    expect(only({ rawAsked: 1 }).fill).toBe("nothingSent");
    expect(only({ filtered: EPOCHS, rawAsked: 1 }).fill).toBe("filteredOut");
    expect(only({ mayStillArrive: EPOCHS })).toMatchObject({ fill: "mayStillArrive", isFinal: false });
    expect(only({ expected: 0 }).fill).toBe("beforeHistory");
    expect(only({ expected: 0 }, { hasEverSent: false }).fill).toBe("nothingSent");
  });

  test("is the hatch of the cause of most of the time, if several causes meet", () => {
    // 14 minutes of 12.3 hours may still arrive; nothing is known of the others.
    expect(only({ expected: 1_476, mayStillArrive: 28 })).toMatchObject({ fill: "nothingOrFiltered", isFinal: false });
    expect(only({ filtered: 3, rawAsked: 1 }).fill).toBe("nothingSent");
    expect(only({ filtered: 2_000, mayStillArrive: 800 }).fill).toBe("filteredOut");
  });

  test("is blank in the future", () => {
    const found = { ...answer([[{ expected: 0 }]]), nowMs: START_MS };
    expect(binStyle(found, 0, 0).fill).toBeNull();
  });
});

function orderBy(lines: readonly StationLine[], sort: Sort): number[] {
  return sortLines(lines, sort).map((l) => l.index);
}

describe("the table of availability", () => {
  const found = answer([
    [{ received: EPOCHS }, { notRequested: EPOCHS }],
    [{ received: EPOCHS / 2 }, { received: EPOCHS / 2 }],
    [{ notRequested: EPOCHS }, { notRequested: EPOCHS }],
  ]);
  const lines = stationLines(found, new Map());

  test("sums received and requested data", () => {
    expect(lines.map((l) => [l.complete, l.asked])).toEqual([
      [1, 0.5],
      [0.5, 1],
      [null, 0],
    ]);
    expect(cellWords(found, 1, 0)).toBe("50.0 % of requested data · 1,440 of 2,880 expected · 1,440 missing");
    expect(cellWords(found, 0, 1)).toBe("0 of 2,880 expected · 2,880 not downloaded");
  });

  test("sorts by every column in both directions, unknown values last", () => {
    expect(orderBy(lines, { column: "complete", isDescending: false })).toEqual([1, 0, 2]);
    expect(orderBy(lines, { column: "complete", isDescending: true })).toEqual([0, 1, 2]);
    expect(orderBy(lines, { column: "asked", isDescending: true })).toEqual([1, 0, 2]);
    expect(orderBy(lines, { column: "name", isDescending: true })).toEqual([2, 1, 0]);
  });

  test("is written to CSV row by row, with escaped names", () => {
    const evil = lines.map((l) => ({ ...l, name: '=SUM(A1),"x"' }));
    const rows = availabilityCsv(found, evil, "ztd", () => START_MS)
      .trimEnd()
      .split("\r\n");
    expect(rows).toHaveLength(1 + 3 * 2);
    expect(rows[3]).toBe(`s1,"'=SUM(A1),""x""",ztd,2026-11-14,2880,1440,0,1440,0,0,50.000,0,2026-11-14T00:00:00Z`);
    expect(rows[6]).toContain(",2880,0,0,0,0,2880,,0,");
  });
});

describe("cells of availability", () => {
  const size = fc.record({ days: fc.integer({ min: 1, max: MAX_DAYS }), width: fc.integer({ min: 200, max: 2_000 }) });

  test("touch without gaps, and a point belongs to the cell drawn there", () => {
    fc.assert(
      fc.property(size, fc.double({ min: 0, max: 0.999, noNaN: true }), ({ days, width }, at) => {
        expect([edgePx(0, days, width), edgePx(days, days, width)]).toEqual([0, width]);
        const x = Math.floor(at * width);
        const day = dayAt(x, days, width)!;
        expect(edgePx(day, days, width)).toBeLessThanOrEqual(x);
        expect(edgePx(day + 1, days, width)).toBeGreaterThan(x);
      }),
    );
    expect([dayAt(-1, 7, 100), dayAt(100, 7, 100)]).toEqual([null, null]);
  });

  const PLACE = { rows: 10, days: 20, pageRows: 4 };
  test("are reached by keys without leaving the table, and Ctrl+End reaches the last one", () => {
    const key = fc.constantFrom("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "PageUp", "PageDown", "Home", "End");
    fc.assert(
      fc.property(fc.array(fc.tuple(key, fc.boolean())), (strokes) => {
        let cell = { row: 3, day: 3 };
        for (const [name, ctrlKey] of strokes)
          cell = movedCell({ key: name, ctrlKey, metaKey: false }, cell, PLACE) ?? cell;
        expect(cell.row >= 0 && cell.row < 10 && cell.day >= 0 && cell.day < 20).toBe(true);
        expect(movedCell({ key: "End", ctrlKey: true, metaKey: false }, cell, PLACE)).toEqual({ row: 9, day: 19 });
      }),
    );
    expect(
      movedCell({ key: "x", ctrlKey: false, metaKey: false }, { row: 0, day: 0 }, { rows: 1, days: 1, pageRows: 1 }),
    ).toBeNull();
  });
});

test("the calendar shows the whole UTC days of a range, and the last days of a long range", () => {
  const range = { startMs: START_MS + HOUR_MS, endMs: START_MS + DAY_MS + 1 };
  expect(shownDays(range)).toEqual({ startMs: START_MS, endMs: START_MS + 2 * DAY_MS, isTruncated: false });
  const long = shownDays({ startMs: START_MS - 1_000 * DAY_MS, endMs: START_MS });
  expect(long).toEqual({ startMs: START_MS - MAX_DAYS * DAY_MS, endMs: START_MS, isTruncated: true });
});
