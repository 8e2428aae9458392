import { expect, test } from "vitest";
import { LINE_SORT } from "#renderer/features/availability/table.ts";
import { VIEW } from "#renderer/features/catalogue/view.ts";
import { CHOICES as COMPARE } from "#renderer/features/compare/useCompared.ts";
import { GAP_SORT } from "#renderer/features/gaps/list.ts";
import { MAP } from "#renderer/features/map/mapState.ts";
import { CHOICES as SATELLITES } from "#renderer/features/satellites/choices.ts";
import { ANNOTATIONS } from "#renderer/features/series/Annotations.tsx";
import { BESIDE } from "#renderer/features/series/beside.ts";
import { ARRANGEMENT, RAW_SHOWN } from "#renderer/features/series/query.ts";
import { pane } from "#renderer/stores/pane.ts";
import { useWorkspace } from "#renderer/stores/workspace.ts";
import { z } from "zod";

const PANES = [
  ANNOTATIONS,
  ARRANGEMENT,
  BESIDE,
  COMPARE,
  GAP_SORT,
  LINE_SORT,
  MAP,
  RAW_SHOWN,
  SATELLITES,
  VIEW,
] as const;

test("a choice that cannot be read is the usual one", () => {
  for (const { read } of PANES)
    for (const stored of [null, 0, "nonsense", [], { column: "constructor" }, Number.NaN])
      expect(read(stored)).toEqual(read(undefined));
});

test("the valid parts of choices are restored", () => {
  expect(
    COMPARE.read({ part: "derived", marks: { sigmaMm: 4, stepMm: "?" }, atmospheres: { a: { pressureHpa: 5 } } }),
  ).toEqual({
    ...COMPARE.read(null),
    part: "derived",
    marks: { ...COMPARE.read(null).marks, sigmaMm: 4 },
    atmospheres: { a: { pressureHpa: null, temperatureC: null } },
  });
  expect(MAP.read({ hasLabels: true, scales: { pwv: { low: 5, high: "x", map: "none", isReversed: 1 } } })).toEqual({
    ...MAP.read(null),
    hasLabels: true,
    scales: { pwv: { low: 5, high: null, map: null, isReversed: false } },
  });
  expect(VIEW.read({ columns: ["name", "nonsense"], sort: 3, filters: { countries: ["FI"], cached: "?" } })).toEqual({
    ...VIEW.read(null),
    filters: { ...VIEW.read(null).filters, countries: ["FI"] },
  });
  expect(LINE_SORT.read({ column: "latency", isDescending: true })).toEqual({ column: "latency", isDescending: true });
  const tooMany = Array.from({ length: 10_000 }, () => ({ atMs: 0, text: "" }));
  expect(ANNOTATIONS.read({ thresholds: 5, notes: tooMany })).toEqual({ thresholds: [], notes: [] });
  expect(BESIDE.read("year")).toBe("year");
});

test("a choice is the same object until it changes, and changes in parts", () => {
  const look = pane("test.look", z.object({ a: z.number().catch(1), b: z.number().catch(2) }));
  const before = look.of(useWorkspace.getState());
  useWorkspace.setState({ isDrawerOpen: true });
  expect(look.of(useWorkspace.getState())).toBe(before);
  look.change({ b: 5 });
  expect(look.of(useWorkspace.getState())).toEqual({ a: 1, b: 5 });
});
