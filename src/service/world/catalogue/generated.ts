import { defined } from "#shared/defined.ts";
import { between, keyOf, unit, type Key } from "../random.ts";
import { AREAS, regionOf, type Area } from "./areas.ts";
import {
  CORS_30S,
  STREAM_1S,
  TELCO_30S,
  type NetworkPlan,
  type StationPlan,
  type StationTraits,
  native,
} from "./plan.ts";

/** Stations per generated network; the last one of a catalogue may have fewer. */
const NETWORK_STATIONS = 125;

const KINDS = [
  { word: "Reference Network", defaults: CORS_30S },
  { word: "Mast Network", defaults: TELCO_30S },
  { word: "Weather Network", defaults: CORS_30S },
] as const;

const OWNERS = ["aurora", "meridian", "north"] as const;

/** One in this many stations differs from its neighbours. */
const ODD_ONES: readonly (readonly [every: number, traits: Partial<StationTraits>])[] = [
  [97, { neverSent: true }],
  [61, { until: "2025-05-31" }],
  [43, native(15)],
  [29, STREAM_1S],
];

/**
 * Creates plans of networks with generated stations, for catalogues of thousands. The same seed and count give the
 * same stations.
 *
 * @param count number of stations in all networks together
 */
export function generatedPlans(seed: number, count: number): NetworkPlan[] {
  const plans: NetworkPlan[] = [];
  const taken = new Map<string, number>();
  for (let n = 0; n * NETWORK_STATIONS < count; n++) {
    const area = cyclic(AREAS, n);
    const round = Math.floor(n / AREAS.length);
    const kind = cyclic(KINDS, round);
    const key = keyOf(seed, "generated", n);
    const code = `${area.countryCode}${String(round + 1).padStart(3, "0")}`;
    const size = Math.min(NETWORK_STATIONS, count - n * NETWORK_STATIONS);
    plans.push({
      code,
      name: `${area.countryName} ${kind.word} ${round + 1}`,
      owner: chosen(OWNERS, key, 0),
      isInternal: false,
      visibility: "public",
      region: regionOf(area),
      since: `${between(key, 1, 2012, 2021)}-0${between(key, 2, 1, 9)}-01`,
      rolloutMonths: between(key, 3, 6, 30),
      defaults: kind.defaults,
      stations: Array.from({ length: size }, (_, i) =>
        stationPlan(
          area,
          {
            mountpoint: `${code}${String(i + 1).padStart(4, "0")}`,
            key: keyOf(seed, code, i),
            index: n * NETWORK_STATIONS + i,
          },
          taken,
        ),
      ),
    });
  }
  return plans;
}

interface StationIdentity {
  readonly mountpoint: string;
  readonly key: Key;
  /** Among all generated stations. */
  readonly index: number;
}

/** @param taken how many stations have each name, counted up */
function stationPlan(area: Area, { mountpoint, key, index }: StationIdentity, taken: Map<string, number>): StationPlan {
  const [south, west, north, east] = area.box;
  const latitudeDeg = roundTo(south + unit(key, 0) * (north - south), 4);
  const longitudeDeg = roundTo(west + unit(key, 1) * (east - west), 4);
  const [low, high] = area.ground;
  // Most stations are low, few on mountains.
  const ground = low + unit(key, 2) ** 2 * (high - low);
  const geoid = roundTo(area.geoidM + 4 * (unit(key, 3) - 0.5), 1);
  const place = chosen(area.beginnings, key, 4) + chosen(area.endings, key, 7);
  const times = (taken.get(place) ?? 0) + 1;
  taken.set(place, times);
  const displayName = times === 1 ? place : `${place} ${times}`;
  const odd = ODD_ONES.find(([every]) => (index + 1) % every === 0)?.[1] ?? {};
  return [
    mountpoint,
    displayName,
    place,
    area.countryCode,
    latitudeDeg,
    longitudeDeg,
    roundTo(ground + geoid, 1),
    geoid,
    odd,
  ];
}

function chosen<T>(items: readonly T[], key: Key, n: number): T {
  return cyclic(items, between(key, n, 0, items.length - 1));
}

/** The item at an index that starts again at the first item after the last. */
function cyclic<T>(items: readonly T[], index: number): T {
  return defined(items[index % items.length]);
}

function roundTo(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale;
}
