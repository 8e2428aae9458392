import type { Pace } from "../pace.ts";
import { type FileLayout, MOSTLY_EMPTY } from "#shared/file/export.ts";
import { FormatFailure } from "../error.ts";
import type { LayoutTold, SeriesFileSource } from "../source.ts";
import { guarded, outOfOrder, timesOf } from "../sourceRows.ts";
import { appendRuns, commonStepMs, emptyRuns, runEndMs, unionRuns, type Runs } from "#shared/time/runs.ts";

/** More runs than this (6 MB) and the moments are too irregular to be worth an axis of their own. */
const MAX_RUNS = 262_144;

/** Beyond this many runs (100 MB) a grid that was asked for is refused. */
const MOST_RUNS = 4_194_304;

/** What a first look at the times alone tells about a file. */
export interface Survey {
  readonly layout: FileLayout;
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
export async function surveySource(source: SeriesFileSource, wanted: FileLayout | "auto", pace: Pace): Promise<Survey> {
  const maxRuns = wanted === "grid" ? MOST_RUNS : MAX_RUNS;
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
  if (wanted === "grid" && axis === null)
    throw new FormatFailure(
      "tooLarge",
      "The times of these stations are too irregular for a grid of time and station. Choose the ragged layout.",
    );
  const rows = rowCounts.reduce((sum, n) => sum + n, 0);
  const [stepMs = null] = steps.size === 1 ? steps : [];
  const layout = wanted === "auto" ? bestLayout(rows, source.stations.length, axis) : wanted;
  return { layout, rowCounts, rows, axis: layout === "grid" ? axis : null, firstMs, lastMs, stepMs };
}

/** What a survey tells whoever asked for the file. */
export function layoutTold({ stations }: SeriesFileSource, { layout, axis, rows }: Survey): LayoutTold {
  const moments = axis?.total ?? null;
  const cells = stations.length * (moments ?? 0);
  return { layout, stations: stations.length, moments, emptyShare: cells === 0 ? 0 : 1 - rows / cells };
}

function bestLayout(rows: number, stations: number, axis: Runs | null): FileLayout {
  if (rows === 0) return "grid";
  if (!axis) return "ragged";
  return rows >= (1 - MOSTLY_EMPTY) * stations * axis.total ? "grid" : "ragged";
}
