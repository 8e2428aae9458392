import { ownIntervalMs, type Variable, variableKind } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { QUALITY, type EpochBlock, type World, type WorldStation } from "../world/types.ts";
import { emptyRows, type RowBlock } from "./rows.ts";

/** The selection of a station's observations. */
export interface Selection {
  readonly variables: readonly Variable[];
  readonly range: TimeRange;
  readonly raw: boolean;
  readonly nowMs: UtcMs;
  readonly decimals: number | null;
}

const PASSES = QUALITY.indexOf("none");
const NO_SOLUTION = QUALITY.indexOf("noSolution");

interface BlockForm {
  /** Maximum rows of a block. */
  readonly blockRows: number;
  /** False omits the satellite texts, which take a hundred times as long; the rows are the same. */
  readonly withTexts?: boolean;
}

/**
 * The observations of a station as rows of the query's variables.
 *
 * An epoch has a row if it passes the quality filter, or `raw` is set, and at least one of the variables has a value: a
 * query for pwv alone has a row every five minutes. An epoch without a solution has no values but was observed: with
 * `raw` it has a row, without values, if one of the variables was due. So `raw` distinguishes a station that sent nothing
 * from one without a solution (section 1).
 */
export function* selectRows(
  world: World,
  station: WorldStation,
  selection: Selection,
  { blockRows, withTexts = true }: BlockForm,
): IterableIterator<RowBlock> {
  const { variables, raw, range, nowMs, decimals } = selection;
  const satellites = variables.some((name) => variableKind(name) === "satellite");
  const dueMs = dueEveryMs(variables);
  const rows = emptyRows(variables, blockRows);
  const kept = new Uint32Array(blockRows);
  const request = { startMs: range.startMs, endMs: range.endMs, nowMs, satellites: satellites && withTexts, decimals };
  for (const block of world.epochs(station, request, blockRows)) {
    const scalars = rows.columns.flatMap((column) =>
      column.kind === "scalar" ? [block.columns[column.variable]] : [],
    );
    let n = 0;
    for (let i = 0; i < block.count; i++) {
      const quality = block.quality[i]!;
      if (quality !== PASSES && !raw) continue;
      if (satellites || hasValue(scalars, i) || (quality === NO_SOLUTION && block.timesMs[i]! % dueMs === 0)) {
        kept[n++] = i;
      }
    }
    if (n === 0) continue;
    copyRows(block, kept.subarray(0, n), rows);
    yield rows;
  }
}

/** Interval at which one of the variables is due, in ms: pwv alone every five minutes; 1 if one is due with every epoch. */
export function dueEveryMs(variables: readonly Variable[]): number {
  return Math.min(...variables.map((name) => ownIntervalMs(name) ?? 1));
}

function hasValue(scalars: readonly Float64Array[], i: number): boolean {
  for (const values of scalars) if (!Number.isNaN(values[i])) return true;
  return false;
}

/** @param kept the rows of the block to copy */
function copyRows(block: EpochBlock, kept: Uint32Array, rows: RowBlock): void {
  rows.count = kept.length;
  copyValues(block.timesMs, kept, rows.timesMs);
  for (const column of rows.columns) {
    if (column.kind === "scalar") copyValues(block.columns[column.variable], kept, column.values);
    else copyValues(block.columns[column.variable], kept, column.values);
  }
}

function copyValues<T>(from: ArrayLike<T>, kept: Uint32Array, to: { [index: number]: T }): void {
  for (let n = 0; n < kept.length; n++) to[n] = from[kept[n]!]!;
}
