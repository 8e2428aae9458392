import type { DerivedSeries } from "#shared/bridge/methods/compare.ts";
import type { SeriesWindow } from "#shared/bridge/methods/series.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { inPieces } from "../../../analysis/compare/pieces.ts";
import type { ComparedSeries } from "../../../analysis/compare/series.ts";
import type { Unmarked } from "../../../analysis/compare/unmarked.ts";
import type { Derived } from "../../../analysis/derived/derive.ts";
import { deriveRows, type DerivedValues } from "../../../analysis/derived/series.ts";
import { type Decimated, pixelColumns } from "../../../analysis/decimate.ts";

const QUANTITIES = ["zhd", "zwd", "iwv"] as const;
type Quantity = (typeof QUANTITIES)[number];

/** What is derived of each total delay, as a plot draws it: row by row where they are few, else in columns. */
export function drawnDerived(
  { stationId, stepMs }: Pick<ComparedSeries, "stationId" | "stepMs">,
  { timesMs, values, sigma }: Unmarked,
  { zhdMm, meanTemperatureK }: Derived,
  { range, columns }: { readonly range: TimeRange; readonly columns: number },
): DerivedSeries {
  const named = { stationId, stepSeconds: stepMs / 1_000 };
  if (timesMs.length <= 2 * columns) {
    const derived = deriveRows(values, sigma, zhdMm, meanTemperatureK);
    const rows = (of: DerivedValues): SeriesWindow => ({
      kind: "rows",
      stationId,
      range,
      timesMs: timesMs.slice(),
      values: { ztd: of.values, ztd_sigma: of.sigma },
    });
    return { ...named, zhd: rows(derived.zhd), zwd: rows(derived.zwd), iwv: rows(derived.iwv) };
  }
  const pixels = pairsOfColumns(range, columns);
  // Piece by piece: six times a year of values would be a lot of memory for a picture.
  inPieces(timesMs.length, (from, to) => {
    const ofPiece = sigma?.subarray(from, to) ?? null;
    const derived = deriveRows(values.subarray(from, to), ofPiece, zhdMm, meanTemperatureK);
    for (const quantity of QUANTITIES) {
      pixels[quantity].values.add(timesMs, from, derived[quantity].values, to - from);
      pixels[quantity].sigma.add(timesMs, from, derived[quantity].sigma, to - from);
    }
  });
  const window = (quantity: Quantity): SeriesWindow => {
    const { values: found, sigma: deviations } = pixels[quantity];
    const variables = { ztd: columnsOf(found.finish()), ztd_sigma: columnsOf(deviations.finish()) };
    return { kind: "columns", stationId, range, columns, variables };
  };
  return { ...named, zhd: window("zhd"), zwd: window("zwd"), iwv: window("iwv") };
}

function pairsOfColumns(range: TimeRange, columns: number) {
  const pair = () => ({ values: pixelColumns(range, columns), sigma: pixelColumns(range, columns) });
  return { zhd: pair(), zwd: pair(), iwv: pair() };
}

function columnsOf({ count, min, max, mean }: Decimated): Omit<Decimated, "range"> {
  return { count, min, max, mean };
}
