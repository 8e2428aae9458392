import type { ComparedSource, Comparison, DifferenceStatistics } from "#shared/comparison.ts";
import { count, many } from "#shared/text.ts";
import { formatRange } from "#shared/time/range.ts";
import { formatUtcShort } from "#shared/time/utc.ts";
import {
  biasMap,
  differenceSeries,
  histogramFigure,
  MAX_SITE_FIGURES,
  type ReportFigure,
  scatterFigure,
  taylorFigure,
} from "./figures.ts";

export type ReportPart =
  | { readonly kind: "heading"; readonly level: 1 | 2; readonly text: string }
  | { readonly kind: "paragraph"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly string[] }
  | {
      readonly kind: "table";
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
      /** Number of leading columns with names; the others are numbers. */
      readonly names: number;
    }
  /** Side by side if there is space. */
  | { readonly kind: "figures"; readonly figures: readonly ReportFigure[] }
  /** A command line. */
  | { readonly kind: "command"; readonly text: string };

export interface ReportDocument {
  readonly title: string;
  readonly program: string;
  readonly madeAtMs: number;
  readonly parts: readonly ReportPart[];
}

export interface ReportFacts {
  /** Name and version of the program. */
  readonly program: string;
  readonly madeAtMs: number;
  /** The command line that repeats the report. */
  readonly command: string;
}

/** If there are more sites without a match, they are only counted. */
const MAX_NAMES = 20;

/** Composes the report of a comparison: statistics, figures and methods. */
export function comparisonDocument(
  comparison: Comparison,
  { program, madeAtMs, command }: ReportFacts,
): ReportDocument {
  const { variable, range, a, b, sites, overall, groups, method } = comparison;
  const title = `${variable}: ${a.name} − ${b.name}`;
  const groupings = [...new Set(groups.map((group) => group.by))];
  const map = biasMap(comparison);
  const shown = sites.slice(0, MAX_SITE_FIGURES);
  const parts: ReportPart[] = [
    heading(1, title),
    paragraph(`${formatRange(range)} · ${many(sites.length, "site")} · ${many(overall.n, "pair")}`),
    heading(2, "Sources"),
    ...sourceParts("A", a),
    ...sourceParts("B", b),
    heading(2, "All sites"),
    { kind: "table", head: ["", ...STATISTICS_HEAD], rows: [["All", ...cellsOf(overall)]], names: 1 },
    {
      kind: "figures",
      figures: [scatterFigure(comparison), histogramFigure(comparison), taylorFigure(comparison)],
    },
    heading(2, "Sites"),
    siteTable(comparison),
    ...(map === null ? [] : [heading(2, "Map of the bias"), { kind: "figures", figures: [map] } as const]),
    heading(2, "Differences over time"),
    ...(shown.length < sites.length ? [paragraph(`The first ${shown.length} of ${count(sites.length)} sites.`)] : []),
    {
      kind: "figures",
      figures: shown.map((site) => ({ ...differenceSeries(site, comparison), caption: site.match.a.label })),
    },
    ...groupings.flatMap((by): ReportPart[] => [
      heading(2, `By ${by}`),
      {
        kind: "table",
        head: [by, ...STATISTICS_HEAD],
        names: 1,
        rows: groups.filter((group) => group.by === by).map(({ label, statistics }) => [label, ...cellsOf(statistics)]),
      },
    ]),
    heading(2, "Method"),
    { kind: "list", items: method },
    heading(2, "Made by"),
    paragraph(`${program}, ${formatUtcShort(madeAtMs)}. This command makes the report again:`),
    { kind: "command", text: command },
  ];
  return { title, program, madeAtMs, parts };
}

function heading(level: 1 | 2, text: string): ReportPart {
  return { kind: "heading", level, text };
}

function paragraph(text: string): ReportPart {
  return { kind: "paragraph", text };
}

function sourceParts(letter: string, { name, details, unmatched }: ComparedSource): ReportPart[] {
  const sites = many(unmatched.length, "site");
  const names = unmatched.length <= MAX_NAMES ? `: ${unmatched.join(", ")}` : "";
  const items = [...details, ...(unmatched.length > 0 ? [`${sites} without a match${names}`] : [])];
  return [paragraph(`${letter}: ${name}`), ...(items.length === 0 ? [] : [{ kind: "list", items } as const])];
}

function siteTable({ sites }: Comparison): ReportPart {
  return {
    kind: "table",
    names: 3,
    head: [
      "A",
      "B",
      "Match",
      "km",
      "Δh (m)",
      "Rows A",
      "Rows B",
      "Gaps",
      "Longest (h)",
      "Correction (mm)",
      ...STATISTICS_HEAD,
    ],
    rows: sites.map(({ match, rowsA, rowsB, gaps, correctionMm, statistics }) => [
      match.a.label,
      match.b.label,
      match.by,
      fixed(match.distanceKm, 2),
      match.heightDifference === null ? "" : `${fixed(match.heightDifference, 1)}${match.isSameReference ? "" : " *"}`,
      count(rowsA),
      count(rowsB),
      count(gaps.count),
      gaps.count === 0 ? "" : fixed(gaps.longestSeconds / 3_600, 1),
      fixed(correctionMm, 2),
      ...cellsOf(statistics),
    ]),
  };
}

export const STATISTICS_HEAD = [
  "n",
  "Rejected",
  "Bias (mm)",
  "Std (mm)",
  "RMS (mm)",
  "Median (mm)",
  "MAD (mm)",
  "Correlation",
  "Trend (mm/yr)",
] as const;

/** Formats statistics in the order of `STATISTICS_HEAD`; empty if missing. */
export function cellsOf(statistics: DifferenceStatistics): string[] {
  const { n, rejected, biasMm, stdMm, rmsMm, medianMm, madMm, correlation, trendMmPerYear } = statistics;
  return [
    count(n),
    count(rejected),
    ...[biasMm, stdMm, rmsMm, medianMm, madMm].map((value) => fixed(value, 2)),
    fixed(correlation, 4),
    fixed(trendMmPerYear, 2),
  ];
}

function fixed(value: number | null, digits: number): string {
  return value === null || !Number.isFinite(value) ? "" : value.toFixed(digits).replace("-", "−");
}
