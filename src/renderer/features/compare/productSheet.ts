import type { ProductComparison } from "#shared/bridge/methods/products.ts";
import type { ComparedFigures } from "#shared/comparison.ts";
import { shortName, variableInfo } from "#shared/service/variables.ts";
import { count, decimal } from "../../ui/text.ts";
import type { CsvCell } from "#shared/file/csv.ts";
import { drawLines, type Lines, readingsOf } from "./figures/lines.ts";
import type { Picture } from "./figures/axes.ts";
import { drawScatter } from "./figures/scatter.ts";
import type { Sheet } from "./save.ts";
import type { ComparedStations } from "./useCompared.ts";
import { signed } from "./format.ts";

const TABLE_HEAD = [
  "station_id",
  "station_name",
  "site",
  "match",
  "distance_km",
  "height_difference_m",
  "correction_mm",
  "n",
  "rejected",
  "bias_mm",
  "std_mm",
  "rms_mm",
  "median_mm",
  "mad_mm",
  "correlation",
  "trend_mm_per_year",
];

function tableRow({ match, correctionMm, statistics }: ComparedFigures, nameOf: (id: string) => string): CsvCell[] {
  return [
    match.a.stationId ?? match.a.label,
    nameOf(match.a.id),
    match.b.label,
    match.by,
    match.distanceKm,
    match.heightDifference,
    correctionMm,
    statistics.n,
    statistics.rejected,
    statistics.biasMm,
    statistics.stdMm,
    statistics.rmsMm,
    statistics.medianMm,
    statistics.madMm,
    statistics.correlation,
    statistics.trendMmPerYear,
  ];
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
    tables: [
      {
        id: "statistics",
        label: "Statistics",
        head: TABLE_HEAD,
        rows: () => sites.map((site) => tableRow(site, compared.nameOf)),
      },
    ],
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
