import { defined } from "#shared/defined.ts";
import type { Convergence } from "#shared/series/gap.ts";
import type { SeriesMode, SeriesRows } from "#shared/series/rows.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { CONVERGENCE_MS, possibleConvergence } from "../../analysis/convergence.ts";
import type { CacheReader } from "../../store/types.ts";

/**
 * What suggests that the solution of a station converged anew within or after a gap; null where nothing does. The
 * filter leaves out what has not settled: so the raw rows tell, where they are cached, and else what follows the gap.
 */
export function readConvergence(
  cache: CacheReader,
  stationId: string,
  gap: TimeRange,
  { intervalSeconds }: Pick<SeriesMode, "intervalSeconds">,
): Convergence | null {
  const range = { startMs: gap.startMs, endMs: gap.endMs + CONVERGENCE_MS };
  const selection = { stationId, variables: ["ztd_sigma" as const], range, intervalSeconds };
  const raw = valuesOf(cache.rows({ ...selection, raw: true }));
  const filtered = valuesOf(cache.rows({ ...selection, raw: false }));
  const all = joined(raw, filtered);
  const firstMs = all.timesMs[0];
  if (firstMs === undefined) return null;
  // Within the gap where raw rows are, else when the station came back.
  return possibleConvergence(all.timesMs, all.sigmaMm, firstMs);
}

interface Sigma {
  readonly timesMs: Float64Array;
  readonly sigmaMm: Float64Array;
}

function valuesOf({ timesMs, columns }: SeriesRows): Sigma {
  const column = columns.ztd_sigma;
  if (column?.kind !== "scalar") return { timesMs: new Float64Array(0), sigmaMm: new Float64Array(0) };
  const has = (_: number, i: number): boolean => !Number.isNaN(column.values[i]);
  return { timesMs: timesMs.filter(has), sigmaMm: column.values.filter(has) };
}

/** Rows of both, those of the first where both have one. */
function joined(first: Sigma, second: Sigma): Sigma {
  if (first.timesMs.length === 0) return second;
  const known = new Map<number, number>();
  for (const { timesMs, sigmaMm } of [second, first]) timesMs.forEach((t, i) => known.set(t, sigmaMm[i]!));
  const timesMs = Float64Array.from(known.keys()).toSorted();
  return { timesMs, sigmaMm: timesMs.map((t) => defined(known.get(t))) };
}
