import { cellsOf, STATISTICS_HEAD } from "#formats/report/index.ts";
import type { ComparedSites, ComparedSource, Comparison } from "#shared/comparison.ts";
import { csvField } from "#shared/file/csv.ts";
import { formatRange } from "#shared/time/range.ts";
import { formatUtcShort } from "#shared/time/utc.ts";
import { type Columns, right, shrinking, table } from "../terminal/table.ts";
import { many, snakeCase } from "../terminal/text.ts";

/** Statistics as CSV with all digits, for other programs. */
export function statisticsCsv({ sites, overall, groups }: Comparison): string {
  const names = Object.keys(overall) as (keyof typeof overall)[];
  const head = ["group", "site_a", "site_b", "match", "distance_km", "height_difference_m", ...names.map(snakeCase)];
  const numbers = (statistics: typeof overall): string[] => names.map((name) => number(statistics[name]));
  const rows = [
    ...sites.map(({ match, statistics }) => [
      "site",
      csvField(match.a.label),
      csvField(match.b.label),
      match.by,
      number(match.distanceKm),
      number(match.heightDifference),
      ...numbers(statistics),
    ]),
    ["all", "", "", "", "", "", ...numbers(overall)],
    ...groups.map(({ by, label, statistics }) => [by, csvField(label), "", "", "", "", ...numbers(statistics)]),
  ];
  return `${[head, ...rows].map((row) => row.join(",")).join("\n")}\n`;
}

/** Lines of a block of `pairsCsv`. */
const BLOCK_LINES = 10_000;

/** All pairs as CSV lines; `interval_s` is the length of the interval that begins at the time, 0 for moments. Yields blocks, because millions of pairs exceed the length of a string. */
export function* pairsCsv({ variable, sites }: Comparison): Generator<string> {
  yield `time,site_a,site_b,${variable}_a_mm,${variable}_b_mm,difference_mm,interval_s\n`;
  for (const { match, pairs, cells } of sites) {
    const names = `${csvField(match.a.label)},${csvField(match.b.label)}`;
    const seconds = cells.pairedMs / 1_000;
    for (let from = 0; from < pairs.timesMs.length; from += BLOCK_LINES) {
      let block = "";
      pairs.timesMs.subarray(from, from + BLOCK_LINES).forEach((timeMs, i) => {
        const [a, b] = [pairs.a[from + i] ?? Number.NaN, pairs.b[from + i] ?? Number.NaN];
        block += `${formatUtcShort(timeMs)},${names},${a},${b},${a - b},${seconds}\n`;
      });
      yield block;
    }
  }
}

function number(value: number | null): string {
  return value === null || Number.isNaN(value) ? "" : String(value);
}

type Statistics = Comparison["overall"];

/** The columns of statistics, after others. */
function withStatistics<T extends { readonly statistics: Statistics }>(columns: Columns<T>): Columns<T> {
  const values = STATISTICS_HEAD.map((title, i) => [title, right((row: T) => cellsOf(row.statistics)[i] ?? "")]);
  return { ...columns, ...(Object.fromEntries(values) as Columns<T>) };
}

/** A row of the sites, or of all of them together. */
type SiteRow = Pick<ComparedSites, "statistics"> & { readonly match: ComparedSites["match"] | null };

const SITE_COLUMNS = withStatistics<SiteRow>({
  A: shrinking(({ match }) => match?.a.label ?? "All"),
  B: shrinking(({ match }) => match?.b.label ?? ""),
  Match: ({ match }) => match?.by ?? "",
  km: right(({ match }) => match?.distanceKm?.toFixed(2) ?? ""),
  "Δh (m)": right(({ match }) =>
    match === null || match.heightDifference === null
      ? ""
      : `${match.heightDifference.toFixed(1)}${match.isSameReference ? "" : "*"}`,
  ),
});

/** The statistics as tables, with their method, the notes on both sources and the unmatched sites. */
export function comparisonLines(comparison: Comparison, width: number | null): string[] {
  const { variable, range, a, b, sites, overall, groups, method } = comparison;
  const groupings = [...new Set(groups.map(({ by }) => by))];
  return [
    `${variable} of ${a.name} (A) − ${b.name} (B), ${formatRange(range)}`,
    "",
    ...table([...sites, { match: null, statistics: overall }], SITE_COLUMNS, width),
    ...groupings.flatMap((by) => [
      "",
      ...table(
        groups.filter((g) => g.by === by),
        withStatistics({ [by]: (g) => g.label }),
        width,
      ),
    ]),
    "",
    ...method,
    ...[a, b].flatMap(({ name, details }) => details.map((detail) => `${name}: ${detail}`)),
    ...[a, b].flatMap(withoutMatch),
    ...(overall.n === 0
      ? ["There is no pair. Try another --pairing or a longer time range, or look at the gaps of both."]
      : []),
  ];
}

/** More names than this would hide the statistics. */
const MAX_NAMES = 10;

function withoutMatch({ name, unmatched }: ComparedSource): string[] {
  if (unmatched.length === 0) return [];
  const names = unmatched.length <= MAX_NAMES ? `: ${unmatched.join(", ")}` : "";
  return [`${many(unmatched.length, "site")} of ${name} ${unmatched.length === 1 ? "has" : "have"} no match${names}.`];
}
