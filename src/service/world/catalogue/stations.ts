import { DAY_MS, parseUtc, type UtcMs } from "#shared/time/utc.ts";
import { between, keyOf, uuidOf } from "../random.ts";
import { siteOf, type Site } from "../site.ts";
import type { WorldNetwork, WorldStation } from "../types.ts";
import { firstEpoch, lastEpoch } from "../visible.ts";
import { ALPS, MASTS, NORDIC, PACIFIC, PAMPAS, SAVANNA } from "./regions.ts";
import { generatedPlans } from "./generated.ts";
import type { NetworkPlan, StationPlan, StationTraits } from "./plan.ts";

const PLANS: readonly NetworkPlan[] = [NORDIC, MASTS, ALPS, PACIFIC, PAMPAS, SAVANNA];
const PLANNED = PLANS.reduce((sum, plan) => sum + plan.stations.length, 0);
/** The last day on which a record may have been edited. */
const LAST_EDIT = at("2026-10-20");

/** The catalogue of one seed: ids and dates come from the seed, places and names are always the same. */
interface Catalogue {
  readonly networks: readonly WorldNetwork[];
  readonly stations: readonly WorldStation[];
  /** By station id. */
  readonly sites: ReadonlyMap<string, Site>;
}

/**
 * @param count number of stations: the first ones of the plans, then generated ones; by default those of the plans
 */
export function catalogueOf(seed: number, count = PLANNED): Catalogue {
  const networks: WorldNetwork[] = [];
  const stations: WorldStation[] = [];
  const sites = new Map<string, Site>();
  for (const plan of plansFor(seed, count)) {
    const network = networkOf(seed, plan);
    networks.push(network);
    plan.stations.forEach((row, index) => {
      const station = stationOf(seed, { plan, network }, row, index);
      stations.push(station);
      sites.set(station.id, siteOf(seed, station, plan.region));
    });
  }
  return { networks, stations, sites };
}

function plansFor(seed: number, count: number): readonly NetworkPlan[] {
  if (count >= PLANNED) return [...PLANS, ...generatedPlans(seed, count - PLANNED)];
  let left = count;
  return PLANS.map((plan) => {
    const stations = plan.stations.slice(0, left);
    left -= stations.length;
    return { ...plan, stations };
  }).filter((plan) => plan.stations.length > 0);
}

function networkOf(seed: number, plan: NetworkPlan): WorldNetwork {
  const key = keyOf(seed, plan.code, "network");
  const createdAtMs = at(plan.since) - between(key, 5, 20, 90) * DAY_MS;
  return {
    id: uuidOf(key),
    code: plan.code,
    name: plan.name,
    owner: plan.owner,
    isInternal: plan.isInternal,
    visibility: plan.visibility,
    createdAtMs,
    updatedAtMs: editedAt(key, createdAtMs),
  };
}

function stationOf(
  seed: number,
  { plan, network }: { readonly plan: NetworkPlan; readonly network: WorldNetwork },
  row: StationPlan,
  index: number,
): WorldStation {
  const [mountpoint, displayName, locationAlias, countryCode, latitudeDeg, longitudeDeg, height, geoid, own] = row;
  const traits: StationTraits = { ...plan.defaults, ...own };
  const key = keyOf(seed, mountpoint, "station");
  const rolloutDays = (plan.rolloutMonths * 30 * index) / plan.stations.length;
  const startMs = at(plan.since) + Math.floor(rolloutDays) * DAY_MS + between(key, 5, 0, 86_399) * 1000;
  const createdAtMs = startMs - between(key, 6, 1, 15) * DAY_MS;
  const planned: WorldStation = {
    id: uuidOf(key),
    displayName,
    mountpoint,
    sourceType: traits.sourceType,
    resolutionSeconds: traits.resolutionSeconds,
    nativeSeconds: traits.nativeSeconds,
    locationAlias,
    countryCode,
    latitudeDeg,
    longitudeDeg,
    ellipsoidalHeight: height,
    geoidUndulation: geoid,
    network,
    firstDataMs: traits.neverSent ? null : startMs,
    lastDataMs: null,
    latencyMs: traits.latencySeconds * 1000,
    createdAtMs,
    updatedAtMs: editedAt(key, createdAtMs),
  };
  return traits.neverSent ? planned : withRealEnds(planned, siteOf(seed, planned, plan.region), startMs, traits.until);
}

/** Moves the dates of first and last data from the plan to epochs with an observation. */
function withRealEnds(station: WorldStation, site: Site, startMs: UtcMs, until: string | undefined): WorldStation {
  const firstDataMs = firstEpoch(site, startMs);
  return { ...station, firstDataMs, lastDataMs: until ? lastEpoch(site, at(until), firstDataMs) : null };
}

function editedAt(key: number, createdAtMs: UtcMs): UtcMs {
  return createdAtMs + between(key, 9, 0, Math.floor((LAST_EDIT - createdAtMs) / 1000)) * 1000;
}

function at(date: string): UtcMs {
  const moment = parseUtc(date);
  if (moment === null) throw new Error(`The world's plan has a date that is none: ${date}`);
  return moment;
}
