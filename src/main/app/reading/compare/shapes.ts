import type { StationShape, StationShapes } from "#shared/bridge/methods/compare.ts";
import type { SeriesWindow } from "#shared/bridge/methods/series.ts";
import type { AppFault } from "#shared/fault.ts";
import type { HeightReference } from "#shared/service/catalogue.ts";
import { type Result, success } from "#shared/service/error.ts";
import type { Variable } from "#shared/service/variables.ts";
import { boxOf, histogram, hourBoxes, ratePerHour } from "../../../analysis/compare/shapes.ts";
import { meanOf, rowsIn } from "../../../analysis/compare/series.ts";
import type { Pace } from "../../pacing.ts";
import { drawn } from "../drawn.ts";
import { type CompareQuery, heightsOf, marksOf, readMarkedSeries, unmarked } from "./series.ts";
import type { CacheReader } from "../../../store/index.ts";

/** Services round to 0.1 mm: each bin holds two of these steps. */
const SIGMA_BIN_MM = 0.2;
const SIGMA_BINS = 101;

/** See `compare.stations`. */
export async function readShapes(
  cache: CacheReader,
  query: CompareQuery & { readonly variable: Variable; readonly heights: HeightReference },
  pace: Pace,
): Promise<Result<StationShapes, AppFault>> {
  const heights = heightsOf(cache, query.stationIds, query.heights);
  const stations: StationShape[] = [];
  for (const stationId of query.stationIds) {
    const wanted = { stationId, variable: query.variable, needsSigma: query.variable === "ztd" };
    const own = await readMarkedSeries(cache, query, wanted, pace);
    if (!own.ok) return own;
    const { timesMs, values, sigma, rejected } = unmarked(own.value, query.leavesOut);
    const mean = meanOf(values);
    const anomalies = values.map((value) => value - mean);
    const hours = hourBoxes(timesMs, anomalies);
    const deviations = query.variable === "ztd_sigma" ? values : (sigma ?? new Float64Array(0));
    stations.push({
      ...marksOf(own.value, query),
      rejected,
      mean,
      height: heights.byId.get(stationId) ?? null,
      hours,
      anomaly: boxOf(anomalies),
      sigma: histogram(deviations, SIGMA_BIN_MM, SIGMA_BINS),
    });
    await pace.yieldIfDue();
  }
  return success({ stations, sigmaBinMm: SIGMA_BIN_MM, heightReference: heights.reference });
}

/** See `compare.rate`. */
export async function readRates(
  cache: CacheReader,
  query: CompareQuery & { readonly windowMinutes: number; readonly columns: number },
  pace: Pace,
): Promise<Result<SeriesWindow[], AppFault>> {
  const windowMs = query.windowMinutes * 60_000;
  const windows: SeriesWindow[] = [];
  for (const stationId of query.stationIds) {
    // The rates at the ends need values up to half a window outside the range.
    const wanted = { stationId, variable: "pwv", outsideMs: windowMs / 2 } as const;
    const own = await readMarkedSeries(cache, query, wanted, pace);
    if (!own.ok) return own;
    const { timesMs, values } = unmarked(own.value, query.leavesOut);
    const rates = ratePerHour(timesMs, values, windowMs);
    const inside = rowsIn({ timesMs, values: rates }, query.range);
    windows.push(
      drawn({ ...query, stationId }, inside.timesMs, ({ from, to }) => ({ pwv: inside.values.subarray(from, to) })),
    );
    await pace.yieldIfDue();
  }
  return success(windows);
}
