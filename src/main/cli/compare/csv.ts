import { csvField } from "#shared/file/csv.ts";
import type { Comparison } from "#shared/comparison.ts";
import { formatUtcShort } from "#shared/time/utc.ts";
import { snakeCase } from "../terminal/text.ts";

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
export const BLOCK_LINES = 10_000;

/** All pairs as CSV lines. Yields blocks, because millions of pairs exceed the length of a string. */
export function* pairsCsv({ variable, sites }: Comparison): Generator<string> {
  yield `time,site_a,site_b,${variable}_a_mm,${variable}_b_mm,difference_mm\n`;
  for (const { match, pairs } of sites) {
    const names = `${csvField(match.a.label)},${csvField(match.b.label)}`;
    for (let from = 0; from < pairs.timesMs.length; from += BLOCK_LINES) {
      let block = "";
      pairs.timesMs.subarray(from, from + BLOCK_LINES).forEach((timeMs, i) => {
        const [a, b] = [pairs.a[from + i] ?? Number.NaN, pairs.b[from + i] ?? Number.NaN];
        block += `${formatUtcShort(timeMs)},${names},${a},${b},${a - b}\n`;
      });
      yield block;
    }
  }
}

function number(value: number | null): string {
  return value === null || Number.isNaN(value) ? "" : String(value);
}
