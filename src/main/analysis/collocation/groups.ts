import type {
  ComparedSites,
  DifferenceStatistics,
  Grouping,
  GroupStatistics,
  PairedValues,
} from "#shared/comparison.ts";
import { formatUtc, HOUR_MS } from "#shared/time/utc.ts";
import { percentilesOf } from "../sorting.ts";
import { anyHeight } from "./sites.ts";
import { statisticsOf } from "./statistics.ts";

/** Width of a class of heights, metres. */
const HEIGHT_CLASS_M = 250;
/** Classes of values hold equal numbers of pairs. */
const VALUE_CLASSES = 5;

/** Returns the statistics of the pairs in each class, in the order of the classes. */
export function groupStatistics(sites: readonly ComparedSites[], by: Grouping): GroupStatistics[] {
  const classOf = classifier(sites, by);
  const groups = new Map<string, { readonly order: number; readonly parts: Gathered }>();
  for (const site of sites) {
    const { timesMs, a, b } = site.pairs;
    timesMs.forEach((timeMs, i) => {
      const [valueA, valueB] = [a[i] ?? Number.NaN, b[i] ?? Number.NaN];
      const { label, order } = classOf(site, timeMs, valueA);
      let group = groups.get(label);
      if (!group) groups.set(label, (group = { order, parts: { times: [], a: [], b: [] } }));
      group.parts.times.push(timeMs);
      group.parts.a.push(valueA);
      group.parts.b.push(valueB);
    });
  }
  return [...groups]
    .toSorted(([, x], [, y]) => x.order - y.order)
    .map(([label, { parts }]) => ({ by, label, statistics: statisticsOf(valuesOf(parts), 0) }));
}

/** Statistics of the pairs of all sites together. */
export function overallStatistics(sites: readonly ComparedSites[]): DifferenceStatistics {
  const pairs = {
    timesMs: joined(sites.map((s) => s.pairs.timesMs)),
    a: joined(sites.map((s) => s.pairs.a)),
    b: joined(sites.map((s) => s.pairs.b)),
  };
  return statisticsOf(
    pairs,
    sites.reduce((sum, s) => sum + s.statistics.rejected, 0),
  );
}

interface Gathered {
  readonly times: number[];
  readonly a: number[];
  readonly b: number[];
}

interface Class {
  readonly label: string;
  readonly order: number;
}

type Classifier = (site: ComparedSites, timeMs: number, valueA: number) => Class;

function classifier(sites: readonly ComparedSites[], by: Grouping): Classifier {
  switch (by) {
    case "hour":
      return (_, timeMs) => {
        const hour = Math.floor(timeMs / HOUR_MS) % 24;
        return { label: `${String(hour).padStart(2, "0")} UTC`, order: hour };
      };
    case "month":
      return (_, timeMs) => {
        const label = formatUtc(timeMs).slice(0, 7);
        return { label, order: Number(label.replace("-", "")) };
      };
    case "height":
      return ({ match }) => {
        const height = anyHeight(match.a.position);
        if (height === null) return { label: "unknown height", order: Infinity };
        const low = Math.floor(height / HEIGHT_CLASS_M) * HEIGHT_CLASS_M;
        return { label: `${low} to ${low + HEIGHT_CLASS_M} m`, order: low };
      };
    case "value":
      return valueClasses(joined(sites.map((s) => s.pairs.a)));
  }
}

function valueClasses(values: Float64Array): Classifier {
  const shares = Array.from({ length: VALUE_CLASSES + 1 }, (_, k) => k / VALUE_CLASSES);
  const percentile = percentilesOf(values);
  const bounds = shares.map((share) => percentile(share));
  return (_, __, value) => {
    let k = 1;
    while (k < VALUE_CLASSES && value >= (bounds[k] ?? Infinity)) k++;
    return { label: `${bounds[k - 1]?.toFixed(1)} to ${bounds[k]?.toFixed(1)} mm`, order: k };
  };
}

function valuesOf({ times, a, b }: Gathered): PairedValues {
  return { timesMs: Float64Array.from(times), a: Float64Array.from(a), b: Float64Array.from(b) };
}

/** Concatenates arrays. */
export function joined(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
