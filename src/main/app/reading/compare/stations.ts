import type {
  DerivedAnswer,
  DerivedRow,
  DerivedSeries,
  StationShape,
  StationShapes,
} from "#shared/bridge/methods/compare.ts";
import type { SeriesWindow } from "#shared/bridge/methods/series.ts";
import type { AppFault } from "#shared/fault.ts";
import type { HeightReference } from "#shared/service/catalogue.ts";
import { type Result, success } from "#shared/service/error.ts";
import type { Variable } from "#shared/service/variables.ts";
import { boxOf, histogram, hourBoxes, ratePerHour } from "../../../analysis/compare/shapes.ts";
import { meanOf, rowsIn } from "../../../analysis/compare/series.ts";
import type { Pace } from "../../pace.ts";
import { drawn } from "../drawn.ts";
import {
  type CompareQuery,
  heightsOf,
  type MarkedRows,
  marksOf,
  readMarkedSeries,
  unmarked,
  type Unmarked,
} from "./series.ts";
import type { CacheReader } from "../../../store/index.ts";
import { type Air, derive, type Derived, deriveRows } from "../../../analysis/derived/derive.ts";
import { FORMULAS } from "../../../analysis/derived/formulas.ts";
import type { TimeRange } from "#shared/time/range.ts";

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

/** Quantities derived from each total delay, for a plot. */
function drawnDerived(
  { stationId, cadenceMs }: Pick<MarkedRows, "stationId" | "cadenceMs">,
  { timesMs, values, sigma }: Unmarked,
  { zhdMm, meanTemperatureK }: Derived,
  drawing: { readonly range: TimeRange; readonly columns: number },
): DerivedSeries {
  const window = (quantity: "zhd" | "zwd" | "iwv"): SeriesWindow =>
    drawn({ ...drawing, stationId }, timesMs, ({ from, to }) => {
      const sigmas = sigma?.subarray(from, to) ?? null;
      const derived = deriveRows(values.subarray(from, to), sigmas, zhdMm, meanTemperatureK)[quantity];
      return { ztd: derived.values, ztd_sigma: derived.sigma };
    });
  return { stationId, stepSeconds: cadenceMs / 1_000, zhd: window("zhd"), zwd: window("zwd"), iwv: window("iwv") };
}

type Sigmas = Omit<Air, "pressureHpa" | "temperatureC">;

interface DerivedQuery extends CompareQuery, Sigmas {
  readonly columns: number;
  readonly atmospheres: Readonly<Record<string, Pick<Air, "pressureHpa" | "temperatureC">>>;
}

/** See `compare.derived`. Uses one pressure for the whole range. */
export async function readDerived(
  cache: CacheReader,
  query: DerivedQuery,
  pace: Pace,
): Promise<Result<DerivedAnswer, AppFault>> {
  const rows: DerivedRow[] = [];
  const series: DerivedSeries[] = [];
  for (const stationId of query.stationIds) {
    const ztd = await readMarkedSeries(cache, query, { stationId, variable: "ztd", needsSigma: true }, pace);
    if (!ztd.ok) return ztd;
    // The bounds for ZTD do not apply to PWV.
    const marks = { ...query.marks, range: null, sigmaMm: null, step: null };
    const pwv = await readMarkedSeries(cache, { ...query, marks }, { stationId, variable: "pwv" }, pace);
    if (!pwv.ok) return pwv;
    const total = unmarked(ztd.value, query.leavesOut);
    const sigmas = (total.sigma ?? new Float64Array(0)).filter((sigma) => sigma >= 0);
    const ztdMm = { value: meanOf(total.values), sigma: meanOf(sigmas) };
    const station = cache.station(stationId);
    const orthometricHeight = station?.orthometricHeight ?? null;
    const height = orthometricHeight === null ? null : { metres: orthometricHeight, above: "geoid" as const };
    const place = { latitudeDeg: station?.latitudeDeg ?? null, height };
    const given = query.atmospheres[stationId] ?? { pressureHpa: null, temperatureC: null };
    const derived = derive(ztdMm, { ...query, ...given }, place);
    if (total.values.length > 0 && !Number.isNaN(derived.iwvFromDelay.value)) {
      series.push(drawnDerived(ztd.value, total, derived, query));
    }
    rows.push({
      stationId,
      n: total.values.length,
      rejected: total.rejected,
      orthometricHeight,
      ztdMm,
      ...derived,
      iwvFromPwv: meanOf(unmarked(pwv.value, query.leavesOut).values),
    });
    await pace.yieldIfDue();
  }
  return success({ rows, series, formulas: FORMULAS });
}
