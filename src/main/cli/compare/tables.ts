import { cellsOf, STATISTICS_HEAD } from "#formats/report/index.ts";
import type { ComparedSites, ComparedSource, Comparison } from "#shared/comparison.ts";
import { formatRange } from "#shared/time/range.ts";
import { table, type TableColumn } from "../terminal/table.ts";
import { many } from "../terminal/text.ts";

const SITE_COLUMNS: readonly TableColumn[] = [
  { title: "A", canShrink: true },
  { title: "B", canShrink: true },
  { title: "Match" },
  { title: "km", align: "right" },
  { title: "Δh (m)", align: "right" },
];
const STATISTICS_COLUMNS: readonly TableColumn[] = STATISTICS_HEAD.map((title) => ({ title, align: "right" }));

/** The statistics as tables, with their method and the unmatched sites. */
export function comparisonLines(comparison: Comparison, width: number | null): string[] {
  const { variable, range, a, b, sites, overall, groups, method } = comparison;
  const groupings = [...new Set(groups.map(({ by }) => by))];
  return [
    `${variable} of ${a.name} (A) − ${b.name} (B), ${formatRange(range)}`,
    "",
    ...table(
      [...SITE_COLUMNS, ...STATISTICS_COLUMNS],
      [...sites.map(siteRow), ["All", "", "", "", "", ...cellsOf(overall)]],
      width,
    ),
    ...groupings.flatMap((by) => [
      "",
      ...table(
        [{ title: by }, ...STATISTICS_COLUMNS],
        groups.filter((g) => g.by === by).map((g) => [g.label, ...cellsOf(g.statistics)]),
        width,
      ),
    ]),
    "",
    ...method,
    ...[a, b].flatMap(withoutMatch),
    ...(overall.n === 0 ? ["There is no common epoch. Try --pairing mean:1h, or look at the gaps of both."] : []),
  ];
}

function siteRow({ match, statistics }: ComparedSites): string[] {
  const { a, b, by, distanceKm, heightDifference, isSameReference } = match;
  return [
    a.label,
    b.label,
    by,
    distanceKm === null ? "" : distanceKm.toFixed(2),
    heightDifference === null ? "" : `${heightDifference.toFixed(1)}${isSameReference ? "" : "*"}`,
    ...cellsOf(statistics),
  ];
}

/** More names than this would hide the statistics. */
const MAX_NAMES = 10;

function withoutMatch({ name, unmatched }: ComparedSource): string[] {
  if (unmatched.length === 0) return [];
  const names = unmatched.length <= MAX_NAMES ? `: ${unmatched.join(", ")}` : "";
  return [`${many(unmatched.length, "site")} of ${name} without a match${names}.`];
}
