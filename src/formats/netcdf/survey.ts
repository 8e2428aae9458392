import type { Pace } from "../pace.ts";
import { type FileLayout, MOSTLY_EMPTY } from "#shared/file/export.ts";
import { FormatFailure } from "../error.ts";
import type { LayoutReport, SeriesFileSource } from "../source.ts";
import { guarded, outOfOrder, timesOf } from "../sourceRows.ts";
import { appendRuns, commonStepMs, emptyRuns, runEndMs, unionRuns, type Runs } from "#shared/time/runs.ts";

/** With more runs (6 MB), times are too irregular for a grid to be chosen automatically. */
const MAX_AUTO_RUNS = 262_144;

/** With more runs (100 MB), a requested grid is refused. */
const MAX_GRID_RUNS = 4_194_304;

/** Result of the first pass over the times. */
export interface Survey {
  readonly layout: FileLayout;
  /** Rows of each station, in the order of the source. */
  readonly rowCounts: readonly number[];
  readonly rows: number;
  /** Union of the times of all stations; null for the ragged layout. */
  readonly axis: Runs | null;
  /** First and last moment; null without rows. */
  readonly firstMs: number | null;
  readonly lastMs: number | null;
  /** The usual step of all stations; null if unknown or different. */
  readonly stepMs: number | null;
}

/** Reads the times of every station once and determines the layout of the file. */
export async function surveySource(
  source: SeriesFileSource,
  requested: FileLayout | "auto",
  pace: Pace,
): Promise<Survey> {
  const maxRuns = requested === "grid" ? MAX_GRID_RUNS : MAX_AUTO_RUNS;
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
      const [first, last] = [times.list[0], times.list.at(-1)];
      if (first && last) {
        firstMs = Math.min(firstMs ?? Number.POSITIVE_INFINITY, first.startMs);
        lastMs = Math.max(lastMs ?? Number.NEGATIVE_INFINITY, runEndMs(last));
      }
      if (own.list.length <= maxRuns && !appendRuns(own, times)) throw outOfOrder();
      await pace.step();
    }
    rowCounts.push(rows);
    const step = commonStepMs(own);
    if (step !== null) steps.add(step);
    axis = requested !== "ragged" && axis && own.list.length <= maxRuns ? unionRuns(axis, own, maxRuns) : null;
  }
  if (requested === "grid" && axis === null)
    throw new FormatFailure(
      "tooLarge",
      "The times of these stations are too irregular for a grid of time and station. Choose the ragged layout.",
    );
  const rows = rowCounts.reduce((sum, n) => sum + n, 0);
  const [stepMs = null] = steps.size === 1 ? steps : [];
  const layout = requested === "auto" ? bestLayout(rows, source.stations.length, axis) : requested;
  return { layout, rowCounts, rows, axis: layout === "grid" ? axis : null, firstMs, lastMs, stepMs };
}

/** Summarizes the layout for the caller of a writer. */
export function layoutReport({ stations }: SeriesFileSource, { layout, axis, rows }: Survey): LayoutReport {
  const moments = axis?.total ?? null;
  const cells = stations.length * (moments ?? 0);
  return { layout, stations: stations.length, moments, emptyShare: cells === 0 ? 0 : 1 - rows / cells };
}

function bestLayout(rows: number, stations: number, axis: Runs | null): FileLayout {
  if (rows === 0) return "grid";
  if (!axis) return "ragged";
  return rows >= (1 - MOSTLY_EMPTY) * stations * axis.total ? "grid" : "ragged";
}
