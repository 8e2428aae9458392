import type { Pace } from "../pace.ts";
import type { SeriesFileSource } from "../source.ts";
import { guarded, outOfOrder, timesOf } from "../sourceRows.ts";
import { appendRuns, commonStepMs, emptyRuns, runEndMs, unionRuns, type Runs } from "#shared/time/runs.ts";

/** More runs than this (6 MB) and the moments are too irregular to be worth an axis of their own. */
const MAX_RUNS = 262_144;
/** Beyond this share of fill values a shared time axis wastes more than it helps. */
const MAX_FILL = 0.8;

export type Layout = "shared" | "ragged";

/** What a first look at the times alone tells about a file. */
export interface Survey {
  readonly layout: Layout;
  /** Rows of each station, in the order of the source. */
  readonly rowCounts: readonly number[];
  readonly rows: number;
  /** All moments of all stations; null where the layout does without. */
  readonly axis: Runs | null;
  /** First and last moment; null where there is no row. */
  readonly firstMs: number | null;
  readonly lastMs: number | null;
  /** The usual distance between rows of a station; null where no station has two, or where they differ. */
  readonly stepMs: number | null;
}

/** Reads the times of every station once and decides how the file is laid out. */
export async function surveySource(source: SeriesFileSource, wanted: Layout | "auto", pace: Pace): Promise<Survey> {
  const maxRuns = wanted === "shared" ? Number.POSITIVE_INFINITY : MAX_RUNS;
  const rowCounts: number[] = [];
  let axis: Runs | null = emptyRuns();
  const steps = new Set<number>();
  let firstMs: number | null = null;
  let lastMs: number | null = null;
  for (let station = 0; station < source.stations.length; station++) {
    const own = emptyRuns();
    let rows = 0;
    for (const times of guarded(() => timesOf(source, station))) {
      rows += times.total;
      if (times.total > 0) {
        firstMs = Math.min(firstMs ?? Number.POSITIVE_INFINITY, times.startsMs[0]!);
        lastMs = Math.max(lastMs ?? Number.NEGATIVE_INFINITY, runEndMs(times, times.counts.length - 1));
      }
      if (own.counts.length <= maxRuns && !appendRuns(own, times)) throw outOfOrder();
      await pace.breathe();
    }
    rowCounts.push(rows);
    const step = commonStepMs(own);
    if (step !== null) steps.add(step);
    axis = wanted !== "ragged" && axis && own.counts.length <= maxRuns ? unionRuns(axis, own, maxRuns) : null;
  }
  const rows = rowCounts.reduce((sum, n) => sum + n, 0);
  const [stepMs = null] = steps.size === 1 ? steps : [];
  const layout = wanted === "auto" ? bestLayout(rows, source.stations.length, axis) : wanted;
  return { layout, rowCounts, rows, axis: layout === "shared" ? axis : null, firstMs, lastMs, stepMs };
}

function bestLayout(rows: number, stations: number, axis: Runs | null): Layout {
  if (rows === 0) return "shared";
  if (!axis) return "ragged";
  return rows >= (1 - MAX_FILL) * stations * axis.total ? "shared" : "ragged";
}
