import type { ProductComparison } from "#shared/bridge/methods/products.ts";
import type { ComparedFigures } from "#shared/comparison.ts";
import { shortName, variableInfo } from "#shared/service/variables.ts";
import { count, decimal } from "../../ui/text.ts";
import type { CsvColumns } from "#shared/file/csv.ts";
import { drawLines, type Lines, readingsOf } from "./figures/lines.ts";
import type { Picture } from "./figures/axes.ts";
import { drawScatter } from "./figures/scatter.ts";
import { itemTable, type Sheet } from "./save.ts";
import type { ComparedStations } from "./useCompared.ts";
import { signed } from "./format.ts";

/** @param nameOf returns the name of a site of A */
function columnsOf(nameOf: (id: string) => string): CsvColumns<ComparedFigures> {
  return {
    station_id: ({ match }) => match.a.stationId ?? match.a.label,
    station_name: ({ match }) => nameOf(match.a.id),
    site: ({ match }) => match.b.label,
    match: ({ match }) => match.by,
    distance_km: ({ match }) => match.distanceKm,
    height_difference_m: ({ match }) => match.heightDifference,
    correction_mm: ({ correctionMm }) => correctionMm,
    n: ({ statistics }) => statistics.n,
    rejected: ({ statistics }) => statistics.rejected,
    bias_mm: ({ statistics }) => statistics.biasMm,
    std_mm: ({ statistics }) => statistics.stdMm,
    rms_mm: ({ statistics }) => statistics.rmsMm,
    median_mm: ({ statistics }) => statistics.medianMm,
    mad_mm: ({ statistics }) => statistics.madMm,
    correlation: ({ statistics }) => statistics.correlation,
    trend_mm_per_year: ({ statistics }) => statistics.trendMmPerYear,
  };
}

/** Names of the two products: that of the file, or "stations". */
interface ProductNames {
  readonly a: string;
  readonly b: string;
}

/** Figures and tables of a comparison of products. */
export function productSheet(result: ProductComparison, compared: ComparedStations, names: ProductNames): Sheet {
  const { variable, sites } = result;
  return {
    name: `compare-product-${variable.replace("_", "-")}`,
    title: `${variableInfo(variable).label}: ${names.a} minus ${names.b}`,
    range: compared.range,
    stations: compared.stations,
    pictures: sites.length === 0 ? [] : [differences(result, compared, names), scatter(result, names)],
    footnotes: result.method,
    tables: [itemTable({ id: "statistics", label: "Statistics" }, columnsOf(compared.nameOf), sites)],
  };
}

function differences(
  { variable, differences: windows, sites }: ProductComparison,
  compared: ComparedStations,
  names: ProductNames,
): Picture {
  const lines: Lines = {
    windows,
    variable,
    stations: compared.stations,
    range: compared.range,
    label: "A − B, mm",
    stepSeconds: new Map(),
    empty: "No common epochs in the range",
  };
  return {
    id: "product-differences",
    title: `${shortName(variable)} ${names.a === "stations" ? "" : `of ${names.a} `}minus ${names.b}`,
    note: `A: ${names.a}, B: ${names.b}; mm at common epochs`,
    summary: sites
      .map(
        ({ match, statistics: s }) =>
          `${compared.nameOf(match.a.id)}: bias ${signed(s.biasMm)} mm of ${count(s.n)} pairs`,
      )
      .join("; "),
    draw: drawLines(lines),
    readings: readingsOf(lines, { unit: "mm", write: signed }),
  };
}

function scatter({ variable, scatter: points, overall }: ProductComparison, names: ProductNames): Picture {
  const name = shortName(variable);
  return {
    id: "product-scatter",
    title: `${name} of ${names.a} and of ${names.b}`,
    note: `${count(points.n)} pairs; dashed: A minus the bias`,
    summary: `Correlation ${Number.isNaN(overall.correlation) ? "unknown" : decimal(overall.correlation, 3)}`,
    draw: drawScatter(points, { a: `A: ${names.a}, mm`, b: `B: ${names.b}, mm`, biasMm: overall.biasMm }),
  };
}
