import type { TimeRange } from "#shared/time/range.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { World, WorldStation } from "../world/types.ts";
import { selectRows, type Selection } from "./select.ts";
import type { Pace } from "./pace.ts";

/** The first stretch that is searched; each further one is four times as long. */
const FIRST_STRETCH_MS = 300_000;
const BLOCK_ROWS = 512;

/** Looks for rows of one station next to a moment. Whether a row exists does not hang on the satellite texts. */
export interface Finder {
  readonly world: World;
  readonly station: WorldStation;
  readonly selection: Omit<Selection, "range">;
  readonly pace: Pace;
}

/** Time of the last row in the range, null where there is none. Reads back from the end, in growing stretches. */
export async function lastRow(finder: Finder, range: TimeRange): Promise<UtcMs | null> {
  let stretchMs = FIRST_STRETCH_MS;
  for (let endMs = range.endMs; endMs > range.startMs; endMs -= stretchMs, stretchMs *= 4) {
    let last: UtcMs | null = null;
    const stretch = { startMs: Math.max(range.startMs, endMs - stretchMs), endMs };
    for (const block of rowsOf(finder, stretch)) {
      last = block.timesMs[block.count - 1]!;
      await finder.pace.breathe();
    }
    if (last !== null) return last;
  }
  return null;
}

/** Time of the first row in the range, null where there is none. */
export async function firstRow(finder: Finder, range: TimeRange): Promise<UtcMs | null> {
  let stretchMs = FIRST_STRETCH_MS;
  for (let startMs = range.startMs; startMs < range.endMs; startMs += stretchMs, stretchMs *= 4) {
    const stretch = { startMs, endMs: Math.min(range.endMs, startMs + stretchMs) };
    for (const block of rowsOf(finder, stretch)) return block.timesMs[0]!;
    await finder.pace.breathe();
  }
  return null;
}

function rowsOf({ world, station, selection }: Finder, range: TimeRange) {
  return selectRows(world, station, { ...selection, range }, BLOCK_ROWS, false);
}
