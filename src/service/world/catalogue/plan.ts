import type { Region } from "../site.ts";
import type { WorldStation } from "../types.ts";

/** What a network of the simulated world is, before the seed gives it an id. Every name in it is made up. */
export interface NetworkPlan {
  readonly code: string;
  readonly name: string;
  readonly owner: string;
  readonly isInternal: boolean;
  readonly visibility: string;
  readonly region: Region;
  /** ISO date from which its first stations have data. */
  readonly since: string;
  /** How many months pass until the last of its stations has data. */
  readonly rolloutMonths: number;
  readonly defaults: StationTraits;
  readonly stations: readonly StationPlan[];
}

/** What stations of a network mostly share, and some have otherwise. */
export interface StationTraits {
  readonly sourceType: WorldStation["sourceType"];
  /** As the catalogue shows it; 0 for native. */
  readonly resolutionSeconds: number;
  readonly nativeSeconds: number;
  /** Mean delay of its data, seconds. */
  readonly latencySeconds: number;
  /** ISO date of the last data of a station that went silent. */
  readonly until?: string;
  readonly neverSent?: boolean;
}

export type StationPlan = readonly [
  mountpoint: string,
  displayName: string,
  locationAlias: string,
  countryCode: string,
  latitudeDeg: number,
  longitudeDeg: number,
  ellipsoidalHeight: number,
  geoidUndulation: number,
  traits?: Partial<StationTraits>,
];

export const CORS_30S: StationTraits = {
  sourceType: "cors",
  resolutionSeconds: 30,
  nativeSeconds: 30,
  latencySeconds: 90,
};
export const TELCO_30S: StationTraits = {
  sourceType: "telco",
  resolutionSeconds: 30,
  nativeSeconds: 30,
  latencySeconds: 60,
};
export const STREAM_1S: StationTraits = {
  sourceType: "stream_gnss",
  resolutionSeconds: 1,
  nativeSeconds: 1,
  latencySeconds: 3,
};
