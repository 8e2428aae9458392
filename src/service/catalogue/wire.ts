import { createHash } from "node:crypto";
import type { HeightReference } from "#shared/service/catalogue.ts";
import { formatUtc, type UtcMs } from "#shared/time/utc.ts";
import type { Organization } from "../organizations.ts";
import { type Position, wrapLongitude } from "../world/geometry.ts";
import type { World, WorldNetwork, WorldStation } from "../world/types.ts";

/** One to two kilometres, which rounding to about one kilometre cannot undo. */
const MIN_SHIFT_DEG = 0.01;
const MAX_SHIFT_DEG = 0.02;
const ROUND_PER_DEG = 100;

/** The position in the catalogue: moved by a distance that is constant for each station, then rounded. */
export function obfuscatedPosition(station: Pick<WorldStation, "id" | "latitudeDeg" | "longitudeDeg">): Position {
  const digest = createHash("sha256").update(station.id).digest();
  const shift = (at: number): number => {
    const chance = digest.readUInt32BE(at) / 2 ** 31 - 1;
    return Math.sign(chance) * (MIN_SHIFT_DEG + Math.abs(chance) * (MAX_SHIFT_DEG - MIN_SHIFT_DEG));
  };
  const latitude = Math.min(90, Math.max(-90, station.latitudeDeg + shift(0)));
  const longitude = wrapLongitude(station.longitudeDeg + shift(4));
  return { latitudeDeg: roundedDegrees(latitude), longitudeDeg: roundedDegrees(longitude) };
}

function roundedDegrees(degrees: number): number {
  return Math.round(degrees * ROUND_PER_DEG) / ROUND_PER_DEG + 0;
}

/** One page of a list with the totals of the whole (2.3, or 9.3 in the earlier form); a page past the end is empty. */
export function listPage<T>(all: readonly T[], page: number, pageSize: number, isEarlierForm: boolean) {
  const from = (page - 1) * pageSize;
  return {
    items: all.slice(from, from + pageSize),
    pagination: {
      page,
      page_size: pageSize,
      [isEarlierForm ? "total_count" : "total_items"]: all.length,
      total_pages: Math.ceil(all.length / pageSize),
    },
  };
}

/** The reader of the catalogue, and the time. */
interface Viewer {
  readonly world: World;
  readonly organization: Organization;
  readonly nowMs: UtcMs;
}

/** A station as the organization sees it (2.1). Heights to the centimetre. */
export function stationWire(viewer: Viewer, station: WorldStation, reference: HeightReference): object {
  const { world, organization, nowMs } = viewer;
  const { network } = station;
  const position = organization.hasLocation ? obfuscatedPosition(station) : null;
  const hasData = station.firstDataMs !== null && station.firstDataMs <= nowMs;
  return {
    id: station.id,
    display_name: station.displayName,
    ...(network.owner === organization.owner ? { mountpoint: station.mountpoint } : {}),
    source_type: station.sourceType,
    historic_data_from: wireTime(hasData ? station.firstDataMs : null),
    resolution_seconds: station.resolutionSeconds,
    location_alias: station.locationAlias,
    country_code: station.countryCode,
    latitude: position?.latitudeDeg ?? null,
    longitude: position?.longitudeDeg ?? null,
    height: heightIn(station, reference),
    height_vertical_reference: reference,
    data_last_updated: wireTime(world.lastUpdated(station, nowMs)),
    network_id: network.id,
    network_code: network.code,
    created_at: wireTime(station.createdAtMs),
    updated_at: wireTime(station.updatedAtMs),
  };
}

/** The orthometric height is the ellipsoidal one minus the geoid undulation. */
function heightIn(station: WorldStation, reference: HeightReference): number {
  const { ellipsoidalHeight, geoidUndulation } = station;
  const height = reference === "EGM2008" ? ellipsoidalHeight - geoidUndulation : ellipsoidalHeight;
  return Math.round(height * 100) / 100;
}

/** A network as the organization sees it (2.2). */
export function networkWire(network: WorldNetwork, organization: Organization): object {
  return {
    id: network.id,
    code: network.code,
    name: network.name,
    is_owner: network.owner === organization.owner,
    visibility: network.visibility,
    is_internal: network.isInternal,
    created_at: wireTime(network.createdAtMs),
    updated_at: wireTime(network.updatedAtMs),
  };
}

function wireTime(ms: UtcMs | null): string | null {
  return ms === null ? null : formatUtc(ms);
}
