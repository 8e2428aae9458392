import type { Region } from "../site.ts";
import type { WorldStation } from "../types.ts";

/** A network of the simulated world, before the seed gives it an id. All names are fictional. */
export interface NetworkPlan {
  readonly code: string;
  readonly name: string;
  readonly owner: string;
  readonly isInternal: boolean;
  readonly visibility: string;
  readonly region: Region;
  /** ISO date from which its first stations have data. */
  readonly since: string;
  /** Number of months until the last of its stations has data. */
  readonly rolloutMonths: number;
  readonly defaults: StationTraits;
  readonly stations: readonly StationPlan[];
}

/** Properties that most stations of a network share. */
export interface StationTraits {
  readonly sourceType: WorldStation["sourceType"];
  /** As the catalogue shows it; 0 for native. */
  readonly resolutionSeconds: number;
  readonly nativeSeconds: number;
  /** Mean delay of its data, seconds. */
  readonly latencySeconds: number;
  /** ISO date of the last data of a station that no longer sends. */
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

function traits(sourceType: StationTraits["sourceType"], seconds: number, latencySeconds: number): StationTraits {
  return { sourceType, resolutionSeconds: seconds, nativeSeconds: seconds, latencySeconds };
}

export const CORS_30S = traits("cors", 30, 90);
/** Connected by a slow line that transmits every two hours. */
export const LATE_30S = traits("cors", 30, 7_200);
export const TELCO_30S = traits("telco", 30, 60);
export const STREAM_1S = traits("stream_gnss", 1, 3);

/** A station that the catalogue lists as native, without its rate. */
export function native(nativeSeconds: number): Partial<StationTraits> {
  return { resolutionSeconds: 0, nativeSeconds };
}
