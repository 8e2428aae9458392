import { type Period, PERIODS, type SavedRange, savedRange } from "#shared/file/savedExport.ts";
import type { MovingRange } from "#shared/time/typed.ts";
import type { ShownTime } from "../../stores/range.ts";
import { rangeWords } from "../jobs/words.ts";
import { movingText, PRESETS } from "../range/presets.ts";

/** A range that the repetitions of a saved export can have. */
export interface RangeChoice {
  readonly value: string;
  readonly label: string;
  readonly range: SavedRange;
}

/** Presets of the time range that are whole periods anyway. */
const WHOLE: ReadonlyMap<string, Period> = new Map([
  ["Yesterday", "yesterday"],
  ["Last month", "lastMonth"],
]);

/** How a range that moves with the clock is kept; null where its end does not move on. */
function savedMoving({ start, end }: MovingRange): SavedRange | null {
  const moving = { start, end };
  const period = WHOLE.get(movingText(moving));
  const range: SavedRange = period ? { kind: "relative", period } : { kind: "moving", moving };
  return savedRange.safeParse(range).success ? range : null;
}

/** Identifies a range in the list of choices. */
export function rangeKey(range: SavedRange): string {
  if (range.kind === "fixed") return `fixed ${range.range.startMs} ${range.range.endMs}`;
  return range.kind === "relative" ? range.period : `moving ${range.moving.start} → ${range.moving.end}`;
}

/** Formats the range of a saved export. */
export function savedRangeText(range: SavedRange): string {
  if (range.kind === "fixed") return rangeWords(range.range);
  return range.kind === "relative" ? PERIODS[range.period] : movingText(range.moving);
}

/** Returns the range to propose: as it is shown, moving with the clock if the shown one does. */
export function proposedRange({ range, moving }: ShownTime): SavedRange {
  return (moving && savedMoving(moving)) ?? { kind: "fixed", range };
}

/** Returns all choices: the shown range, also as it is fixed, full periods, and ranges up to now; and `own` in any case. */
export function rangeChoices(shown: ShownTime, own: SavedRange): RangeChoice[] {
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
  return [...unique].map(([value, range]) => ({ value, label: labels.get(value) ?? savedRangeText(range), range }));
}
