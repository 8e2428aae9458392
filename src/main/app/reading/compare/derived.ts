import type { DerivedAnswer, DerivedRow, DerivedSeries } from "#shared/bridge/methods/compare.ts";
import type { AppFault } from "#shared/fault.ts";
import { type Result, success } from "#shared/service/error.ts";
import { meanOf, unmarked } from "../../../analysis/compare/unmarked.ts";
import { type Air, derive } from "../../../analysis/derived/derive.ts";
import { FORMULAS } from "../../../analysis/derived/formulas.ts";
import type { CacheReader } from "../../../store/types.ts";
import type { Pace } from "../pace.ts";
import { drawnDerived } from "./drawnDerived.ts";
import { type CompareQuery, readOwn } from "./series.ts";

type Sigmas = Omit<Air, "pressureHpa" | "temperatureC">;

export interface DerivedQuery extends CompareQuery, Sigmas {
  readonly columns: number;
  readonly atmospheres: Readonly<Record<string, Pick<Air, "pressureHpa" | "temperatureC">>>;
}

/** See `compare.derived`: of one pressure for all of the range. */
export async function readDerived(
  cache: CacheReader,
  query: DerivedQuery,
  pace: Pace,
): Promise<Result<DerivedAnswer, AppFault>> {
  const rows: DerivedRow[] = [];
  const series: DerivedSeries[] = [];
  for (const stationId of query.stationIds) {
    const ztd = await readOwn(cache, query, stationId, "ztd", true, pace);
    if (!ztd.ok) return ztd;
    // Limits of ZTD are none of PWV.
    const marks = { ...query.marks, range: null, sigmaMm: null, step: null };
    const pwv = await readOwn(cache, { ...query, marks }, stationId, "pwv", false, pace);
    if (!pwv.ok) return pwv;
    const total = unmarked(ztd.value, query.leavesOut);
    const sigmas = (total.sigma ?? new Float64Array(0)).filter((sigma) => sigma >= 0);
    const ztdMm = { value: meanOf(total.values), sigma: meanOf(sigmas) };
    const station = cache.station(stationId);
    const place = {
      latitudeDeg: station?.latitudeDeg ?? null,
      orthometricHeight: station?.orthometricHeight ?? null,
    };
    const given = query.atmospheres[stationId] ?? { pressureHpa: null, temperatureC: null };
    const derived = derive(ztdMm, { ...query, ...given }, place);
    if (total.values.length > 0 && !Number.isNaN(derived.iwvFromDelay.value)) {
      series.push(drawnDerived(ztd.value, total, derived, query));
    }
    rows.push({
      stationId,
      n: total.values.length,
      rejected: total.rejected,
      orthometricHeight: place.orthometricHeight,
      ztdMm,
      ...derived,
      iwvFromPwv: meanOf(unmarked(pwv.value, query.leavesOut).values),
    });
    await pace.breathe();
  }
  return success({ rows, series, formulas: FORMULAS });
}
