import type {
  ComparedSites,
  DifferenceStatistics,
  Grouping,
  GroupStatistics,
  PairedValues,
} from "#shared/comparison.ts";
import { formatUtc, hourOfDay } from "#shared/time/utc.ts";
import { percentilesOf } from "../sorting.ts";
import { geoidHeight, undulationOf } from "./heights.ts";
import { concatenated, pooledStatistics } from "./statistics.ts";

/** Width of a class of heights, metres. */
const HEIGHT_CLASS_M = 250;
/** Classes of values hold equal numbers of pairs. */
const VALUE_CLASSES = 5;

/** Returns the statistics of the pairs in each class, in the order of the classes. */
export function groupStatistics(sites: readonly ComparedSites[], by: Grouping): GroupStatistics[] {
  const classOf = classifier(sites, by);
  const groups = new Map<string, { readonly order: number; readonly label: string; readonly parts: Gathered[] }>();
  for (const site of sites) {
    const ofSite = new Map<string, Gathered>();
    const { timesMs, a, b } = site.pairs;
    timesMs.forEach((timeMs, i) => {
      const [valueA, valueB] = [a[i] ?? Number.NaN, b[i] ?? Number.NaN];
      const { label, order } = classOf(site, timeMs, valueA);
      // Two classes may have one label.
      const key = `${order} ${label}`;
      let part = ofSite.get(key);
      if (!part) {
        ofSite.set(key, (part = { times: [], a: [], b: [] }));
        const group = groups.get(key) ?? { order, label, parts: [] };
        group.parts.push(part);
        groups.set(key, group);
      }
      part.times.push(timeMs);
      part.a.push(valueA);
      part.b.push(valueB);
    });
  }
  return [...groups.values()]
    .toSorted((x, y) => x.order - y.order)
    .map(({ label, parts }) => ({ by, label, statistics: pooledStatistics(parts.map(pairedValues), 0) }));
}

/** Statistics of the pairs of all sites together. */
export function overallStatistics(sites: readonly ComparedSites[]): DifferenceStatistics {
  return pooledStatistics(
    sites.map((s) => s.pairs),
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
        const hour = hourOfDay(timeMs);
        return { label: `${String(hour).padStart(2, "0")} UTC`, order: hour };
      };
    case "month":
      return (_, timeMs) => {
        const label = formatUtc(timeMs).slice(0, 7);
        return { label, order: Number(label.replace("-", "")) };
      };
    case "height": {
      const undulation = undulationOf(sites.flatMap(({ match: { a, b } }) => [a.position, b.position]));
      return ({ match }) => {
        // Heights above different surfaces are not classes of one quantity.
        const known = geoidHeight(match.a.position, undulation);
        if (known === null || known.by === "assumed")
          return { label: "unknown height above the geoid", order: Infinity };
        const low = Math.floor(known.height.metres / HEIGHT_CLASS_M) * HEIGHT_CLASS_M;
        return { label: `${low} to ${low + HEIGHT_CLASS_M} m above the geoid`, order: low };
      };
    }
    case "value":
      return valueClasses(concatenated(sites.map((s) => s.pairs.a)));
  }
}

function valueClasses(values: Float64Array): Classifier {
  const shares = Array.from({ length: VALUE_CLASSES + 1 }, (_, k) => k / VALUE_CLASSES);
  const percentile = percentilesOf(values);
  const bounds = shares.map((share) => percentile(share));
  const texts = distinctDecimals(bounds);
  return (_, __, value) => {
    let k = 1;
    while (k < VALUE_CLASSES && value >= (bounds[k] ?? Infinity)) k++;
    return { label: `${texts[k - 1]} to ${texts[k]} mm`, order: k };
  };
}

/** The numbers with one decimal, or as many as different ones need to look different. */
function distinctDecimals(numbers: readonly number[]): string[] {
  const different = new Set(numbers).size;
  for (let digits = 1; ; digits++) {
    const texts = numbers.map((number) => number.toFixed(digits));
    if (digits === 9 || new Set(texts).size === different) return texts;
  }
}

function pairedValues({ times, a, b }: Gathered): PairedValues {
  return { timesMs: Float64Array.from(times), a: Float64Array.from(a), b: Float64Array.from(b) };
}
