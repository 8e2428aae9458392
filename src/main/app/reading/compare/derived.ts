import type { DerivedAnswer, DerivedRow, DerivedSeries } from "#shared/bridge/methods/compare.ts";
import type { AppFault } from "#shared/fault.ts";
import { type Result, success } from "#shared/service/error.ts";
import { type ComparedSeries, inBatches, meanOf, unmarked, type Unmarked } from "../../../analysis/compare/series.ts";
import { type Air, derive, type Derived, type DerivedValues, deriveRows } from "../../../analysis/derived/derive.ts";
import { FORMULAS } from "../../../analysis/derived/formulas.ts";
import type { Pace } from "../../pacing.ts";
import { type CompareQuery, readMarkedSeries } from "./series.ts";
import type { SeriesWindow } from "#shared/bridge/methods/series.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { PixelColumns } from "../../../analysis/decimate.ts";
import type { CacheReader } from "../../../store/index.ts";

const QUANTITIES = ["zhd", "zwd", "iwv"] as const;
type Quantity = (typeof QUANTITIES)[number];

/** Quantities derived from each total delay, for a plot: as rows if they are few, else as pixel columns. */
export function drawnDerived(
  { stationId, stepMs }: Pick<ComparedSeries, "stationId" | "stepMs">,
  { timesMs, values, sigma }: Unmarked,
  { zhdMm, meanTemperatureK }: Derived,
  { range, columns }: { readonly range: TimeRange; readonly columns: number },
): DerivedSeries {
  const named = { stationId, stepSeconds: stepMs / 1_000 };
  if (timesMs.length <= 2 * columns) {
    const derived = deriveRows(values, sigma, zhdMm, meanTemperatureK);
    const rows = (derivedValues: DerivedValues): SeriesWindow => ({
      kind: "rows",
      stationId,
      range,
      timesMs: timesMs.slice(),
      values: { ztd: derivedValues.values, ztd_sigma: derivedValues.sigma },
    });
    return { ...named, zhd: rows(derived.zhd), zwd: rows(derived.zwd), iwv: rows(derived.iwv) };
  }
  const pixels = createPixelColumns(range, columns);
  // In parts, to avoid six arrays of a year's values in memory.
  inBatches(timesMs.length, ({ from, to }) => {
    const timesPart = timesMs.subarray(from, to);
    const sigmaPart = sigma?.subarray(from, to) ?? null;
    const derived = deriveRows(values.subarray(from, to), sigmaPart, zhdMm, meanTemperatureK);
    for (const quantity of QUANTITIES) {
      pixels[quantity].values.add(timesPart, derived[quantity].values);
      pixels[quantity].sigma.add(timesPart, derived[quantity].sigma);
    }
  });
  const window = (quantity: Quantity): SeriesWindow => {
    const { values: found, sigma: deviations } = pixels[quantity];
    const variables = { ztd: found.finish(), ztd_sigma: deviations.finish() };
    return { kind: "columns", stationId, range, columns, variables };
  };
  return { ...named, zhd: window("zhd"), zwd: window("zwd"), iwv: window("iwv") };
}

function createPixelColumns(range: TimeRange, columns: number) {
  const pair = () => ({ values: new PixelColumns(range, columns), sigma: new PixelColumns(range, columns) });
  return { zhd: pair(), zwd: pair(), iwv: pair() };
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
