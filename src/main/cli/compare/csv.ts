import { csvField } from "#formats/csv/text.ts";
import type { Comparison } from "#shared/comparison.ts";
import { formatUtcShort } from "#shared/time/utc.ts";

/** Numbers in full: for another program. */
export function statisticsCsv({ sites, overall, groups }: Comparison): string {
  const names = Object.keys(overall) as (keyof typeof overall)[];
  const head = ["group", "site_a", "site_b", "match", "distance_km", "height_difference_m", ...names.map(snake)];
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

/** Every pair in a line. */
export function pairsCsv({ variable, sites }: Comparison): string {
  const rows = [`time,site_a,site_b,${variable}_a_mm,${variable}_b_mm,difference_mm`];
  for (const { match, pairs } of sites) {
    const names = `${csvField(match.a.label)},${csvField(match.b.label)}`;
    pairs.timesMs.forEach((timeMs, i) => {
      const [a, b] = [pairs.a[i] ?? Number.NaN, pairs.b[i] ?? Number.NaN];
      rows.push(`${formatUtcShort(timeMs)},${names},${a},${b},${a - b}`);
    });
  }
  return `${rows.join("\n")}\n`;
}

function number(value: number | null): string {
  return value === null || Number.isNaN(value) ? "" : String(value);
}

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
