import { createHash } from "node:crypto";
import type { World, WorldStation } from "./world/types.ts";

/** A client of the service: an API key with its entitlements (5) and limits (8). */
export interface Organization {
  readonly key: string;
  readonly name: string;
  /** The owner (`WorldNetwork.owner`) whose networks belong to it: their stations show a mountpoint. */
  readonly owner: string;
  /** Codes of the networks it is entitled to. */
  readonly networks: readonly string[] | "all";
  /** Single stations in addition to those of its networks. */
  readonly stationIds: readonly string[];
  /** Stations of its networks that it may nevertheless not see. */
  readonly withheldStationIds: readonly string[];
  /** If false, latitude and longitude are null. */
  readonly hasLocation: boolean;
  /** Data points per time series request; null for no limit. */
  readonly maxPoints: number | null;
  readonly deadlineMs: number;
  readonly maxConcurrent: number;
}

/** The options of an organization: everything but the key and the name has a default. */
export type OrganizationOptions = Pick<Organization, "key" | "name"> & Partial<Organization>;

export function organization(options: OrganizationOptions): Organization {
  return {
    owner: options.name,
    networks: "all",
    stationIds: [],
    withheldStationIds: [],
    hasLocation: true,
    maxPoints: 1_000_000,
    deadlineMs: 30_000,
    maxConcurrent: 8,
    ...options,
  };
}

/** Three organizations that differ in every property; `demo` has limits that are soon reached. */
export const BUILT_IN_ORGANIZATIONS: readonly Organization[] = [
  organization({ key: "demo-key", name: "demo", owner: "aurora", maxPoints: 100_000, maxConcurrent: 4 }),
  organization({
    key: "partner-key",
    name: "partner",
    owner: "meridian",
    networks: ["BMAST", "PACST"],
    hasLocation: false,
    maxPoints: 20_000,
    maxConcurrent: 2,
  }),
  organization({ key: "bulk-key", name: "bulk", owner: "north", maxPoints: null, maxConcurrent: 64 }),
];

/** Finds an organization by its key. Keys are compared by digest, so that response times reveal nothing about them. */
export class Keyring {
  #byDigest: ReadonlyMap<string, Organization>;

  constructor(organizations: readonly Organization[]) {
    this.#byDigest = index(organizations);
  }

  get all(): readonly Organization[] {
    return [...this.#byDigest.values()];
  }

  find(key: string): Organization | undefined {
    return this.#byDigest.get(digest(key));
  }

  replaceAll(organizations: readonly Organization[]): void {
    this.#byDigest = index(organizations);
  }
}

function index(organizations: readonly Organization[]): ReadonlyMap<string, Organization> {
  return new Map(organizations.map((o) => [digest(o.key), o]));
}

function digest(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

export function isEntitled(to: WorldStation, organization: Organization): boolean {
  if (organization.withheldStationIds.includes(to.id)) return false;
  if (organization.networks === "all" || organization.networks.includes(to.network.code)) return true;
  return organization.stationIds.includes(to.id);
}

/** The stations that exist for an organization, in the order of the catalogue. */
export function entitledStations(world: World, organization: Organization): WorldStation[] {
  return world.stations.filter((station) => isEntitled(station, organization));
}
