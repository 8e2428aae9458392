import type { ComparedSource, Comparison, DifferenceStatistics } from "#shared/comparison.ts";
import { count, many } from "#shared/text.ts";
import { formatRange } from "#shared/time/range.ts";
import { formatUtcShort } from "#shared/time/utc.ts";
import {
  biasMap,
  differenceSeries,
  histogramFigure,
  MOST_SITE_FIGURES,
  scatterFigure,
  taylorFigure,
} from "./figures.ts";
import { escaped } from "./svg.ts";

export interface ReportFacts {
  /** Name and version of the program. */
  readonly program: string;
  readonly madeAtMs: number;
  /** The command that makes the report again. */
  readonly command: string;
}

/** More names without a match than this are only counted. */
const MOST_NAMES = 20;

/** A comparison as one HTML file without scripts or links: statistics, figures, and how each number was made. */
export function comparisonReport(comparison: Comparison, { program, madeAtMs, command }: ReportFacts): string {
  const { variable, range, a, b, sites, overall, groups, method } = comparison;
  const title = `${variable}: ${a.name} − ${b.name}`;
  const groupings = [...new Set(groups.map((group) => group.by))];
  const map = biasMap(comparison);
  const shown = sites.slice(0, MOST_SITE_FIGURES);
  const parts = [
    `<h1>${escaped(title)}</h1>`,
    `<p>${escaped(formatRange(range))} · ${many(sites.length, "site")} · ${many(overall.n, "pair")}</p>`,
    "<h2>Sources</h2>",
    sourcePart("A", a),
    sourcePart("B", b),
    "<h2>All sites</h2>",
    table(["", ...STATISTICS_HEAD], [["All", ...cellsOf(overall)]]),
    `<div class="figures">${scatterFigure(comparison)}${histogramFigure(comparison)}${taylorFigure(comparison)}</div>`,
    "<h2>Sites</h2>",
    table(
      ["A", "B", "Match", "km", "Δh (m)", "Rows A", "Rows B", "Correction (mm)", ...STATISTICS_HEAD],
      sites.map(({ match, rowsA, rowsB, correctionMm, statistics }) => [
        match.a.label,
        match.b.label,
        match.by,
        fixed(match.distanceKm, 2),
        match.heightDifference === null
          ? ""
          : `${fixed(match.heightDifference, 1)}${match.isSameReference ? "" : " *"}`,
        count(rowsA),
        count(rowsB),
        fixed(correctionMm, 2),
        ...cellsOf(statistics),
      ]),
    ),
    ...(map === null ? [] : ["<h2>Map of the bias</h2>", map]),
    "<h2>Differences over time</h2>",
    ...(shown.length < sites.length ? [`<p>The first ${shown.length} of ${count(sites.length)} sites.</p>`] : []),
    ...shown.map((site) => `<h3>${escaped(site.match.a.label)}</h3>${differenceSeries(site, comparison)}`),
    ...groupings.flatMap((by) => [
      `<h2>By ${by}</h2>`,
      table(
        [by, ...STATISTICS_HEAD],
        groups.filter((group) => group.by === by).map(({ label, statistics }) => [label, ...cellsOf(statistics)]),
      ),
    ]),
    "<h2>Method</h2>",
    `<ul>${method.map((sentence) => `<li>${escaped(sentence)}</li>`).join("")}</ul>`,
    "<h2>Made by</h2>",
    `<p>${escaped(program)}, ${formatUtcShort(madeAtMs)}. This command makes the report again:</p>`,
    `<pre>${escaped(command)}</pre>`,
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
${parts.join("\n")}
</body>
</html>
`;
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

/** The statistics as texts, in the order of `STATISTICS_HEAD`; empty without a value. */
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

function sourcePart(letter: string, { name, details, unmatched }: ComparedSource): string {
  const sites = many(unmatched.length, "site");
  const names = unmatched.length <= MOST_NAMES ? `: ${unmatched.join(", ")}` : "";
  const sentences = [...details, ...(unmatched.length > 0 ? [`${sites} without a match${names}`] : [])];
  const list = sentences.map((sentence) => `<li>${escaped(sentence)}</li>`).join("");
  return `<p><strong>${letter}</strong>: ${escaped(name)}</p>${list === "" ? "" : `<ul>${list}</ul>`}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const body = rows.map((row) => tableRow(row, "td")).join("");
  return `<div class="wide"><table><thead>${tableRow(head, "th")}</thead><tbody>${body}</tbody></table></div>`;
}

function tableRow(texts: readonly string[], tag: "th" | "td"): string {
  return `<tr>${texts.map((text) => `<${tag}>${escaped(text)}</${tag}>`).join("")}</tr>`;
}

const STYLE = `
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 84rem; padding: 0 1rem; color: #1b1f24; background: #fff; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; } h3 { font-size: 1rem; margin: 1rem 0 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 13px; }
th, td { padding: 3px 8px; text-align: right; border-bottom: 1px solid #d6dbe1; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
.wide { overflow-x: auto; } .figures { display: flex; flex-wrap: wrap; gap: 1rem; }
svg { max-width: 100%; height: auto; font: 11px system-ui, sans-serif; }
.grid { stroke: #e3e7ec; } .axis { stroke: #5b6570; fill: none; } .tick { fill: #4a535d; } .title { fill: #1b1f24; }
.data { stroke: #1f6fb2; stroke-width: 1.2; fill: none; } .cell { fill: #1f6fb2; } .mark { stroke: #c2410c; stroke-width: 1.2; }
.dot { fill: #1f6fb2; fill-opacity: 0.75; } .reference { fill: #c2410c; } .positive { fill: #c2410c; fill-opacity: 0.7; } .negative { fill: #1f6fb2; fill-opacity: 0.7; }
pre { background: #f3f5f7; padding: 0.75rem; overflow-x: auto; }
@media print { body { margin: 0; max-width: none; } svg, tr { break-inside: avoid; } .wide { overflow: visible; } table { font-size: 9px; } th, td { padding: 2px 3px; } }
`;
