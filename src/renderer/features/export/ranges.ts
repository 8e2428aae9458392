import { type Period, PERIODS, type SavedRange, savedRange, savedRangeText } from "#shared/file/savedExport.ts";
import { type MovingRange, PRESETS } from "#shared/time/typed.ts";
import type { ShownTime } from "../../stores/range.ts";
import { rangeWords } from "../jobs/labels.ts";

/** Moving ranges that are the same as a full period. */
const FULL_PERIODS: readonly (MovingRange & { readonly period: Period })[] = [
  { start: "yesterday", end: "today", period: "yesterday" },
  { start: "last month", end: "this month", period: "lastMonth" },
];

/** Returns the saved form of a moving range; null if its end does not move with the clock. */
function savedMoving({ start, end }: MovingRange): SavedRange | null {
  const full = FULL_PERIODS.find((each) => each.start === start && each.end === end);
  const range: SavedRange = full
    ? { kind: "relative", period: full.period }
    : { kind: "moving", moving: { start, end } };
  return savedRange.safeParse(range).success ? range : null;
}

/** Identifies a range in the list of choices. */
export function rangeKey(range: SavedRange): string {
  if (range.kind === "fixed") return `fixed ${range.range.startMs} ${range.range.endMs}`;
  return range.kind === "relative" ? range.period : `moving ${range.moving.start} → ${range.moving.end}`;
}

/** Returns the range to propose: the shown one, which moves with the clock if the view's range does. */
export function proposedRange({ range, moving }: ShownTime): SavedRange {
  return (moving && savedMoving(moving)) ?? { kind: "fixed", range };
}

/** Returns all choices of a range for the repetitions of a saved export, each once: `own`, the shown range, moving and fixed, full periods, and ranges up to now. */
export function rangeChoices(shown: ShownTime, own: SavedRange) {
  const fixed: SavedRange = { kind: "fixed", range: shown.range };
  const ranges: SavedRange[] = [
    own,
    proposedRange(shown),
    fixed,
    ...(Object.keys(PERIODS) as Period[]).map((period) => ({ kind: "relative", period }) as const),
    ...PRESETS.flatMap(({ start, end }) => savedMoving({ start, end }) ?? []),
  ];
  const labels = new Map([[rangeKey(fixed), `Fixed: ${rangeWords(shown.range)}`]]);
  const unique = new Map(ranges.map((range) => [rangeKey(range), range]));
  return [...unique].map(([value, range]) => ({
    value,
    label: labels.get(value) ?? savedRangeText(range, rangeWords),
    range,
  }));
}
