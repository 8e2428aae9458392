import type { SatelliteVariable, ScalarVariable } from "#shared/service/variables.ts";
import type { UtcMs } from "#shared/time/utc.ts";

/** A network of the simulated world. */
export interface WorldNetwork {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  /** Organization that owns it. */
  readonly owner: string;
  readonly isInternal: boolean;
  readonly visibility: string;
  readonly createdAtMs: UtcMs;
  readonly updatedAtMs: UtcMs;
}

/** A station of the simulated world, with properties that the service never shows (true position, native rate, latency). */
export interface WorldStation {
  readonly id: string;
  readonly displayName: string;
  readonly mountpoint: string;
  readonly sourceType: "stream_gnss" | "telco" | "cors";
  /** As the catalogue shows it: 30, 1, or 0 for native. */
  readonly resolutionSeconds: number;
  /** The true cadence of its observations; equals `resolutionSeconds` unless that is 0. */
  readonly nativeSeconds: number;
  readonly locationAlias: string;
  readonly countryCode: string;
  readonly latitudeDeg: number;
  readonly longitudeDeg: number;
  readonly ellipsoidalHeight: number;
  /** Geoid undulation N in metres: orthometric height is ellipsoidal height minus N. */
  readonly geoidUndulation: number;
  readonly network: WorldNetwork;
  /** First observation; null for a station that never sent any. */
  readonly firstDataMs: UtcMs | null;
  /** Last observation of a station that no longer sends; null while it does. */
  readonly lastDataMs: UtcMs | null;
  /** How long after its epoch an observation becomes available. Milliseconds. */
  readonly latencyMs: number;
  readonly createdAtMs: UtcMs;
  readonly updatedAtMs: UtcMs;
}

/** Why an epoch fails the quality filter; `none` if it passes. */
export const QUALITY = ["none", "convergence", "noSolution", "jamming"] as const;
export type Quality = (typeof QUALITY)[number];

/**
 * Epochs of one station in time order, by column. The arrays are reused between calls: copy what is needed later.
 * NaN: no value at this epoch (PWV between its 5-minute updates, no solution).
 */
export interface EpochBlock {
  count: number;
  timesMs: Float64Array;
  /** Index into QUALITY. */
  quality: Uint8Array;
  /** Comma-separated texts, filled only if satellites were requested. */
  readonly columns: Readonly<Record<ScalarVariable, Float64Array> & Record<SatelliteVariable, (string | null)[]>>;
}

/** A range of a station's observations, all of the same quality. Single epochs in it may have been lost. */
export interface Observed {
  readonly quality: Quality;
  readonly startMs: UtcMs;
  readonly endMs: UtcMs;
}

export interface BlockRequest {
  readonly startMs: UtcMs;
  readonly endMs: UtcMs;
  /** The present: later observations, and those still in transmission, are not available yet. */
  readonly nowMs: UtcMs;
  readonly satellites: boolean;
  /** Digits after the decimal point of ztd, ztd_sigma and pwv; null for full double precision. */
  readonly decimals: number | null;
}

/** The simulated world: a pure function of its seed and of time, the same on every machine. */
export interface World {
  readonly seed: number;
  readonly networks: readonly WorldNetwork[];
  readonly stations: readonly WorldStation[];
  station(id: string): WorldStation | undefined;
  /** Time of the latest observation available at `nowMs`, outside gaps, or null. */
  lastUpdated(station: WorldStation, nowMs: UtcMs): UtcMs | null;
  /** The parts of the range in which the station has observations, in time order, without computing any of them. */
  observed(station: WorldStation, request: Pick<BlockRequest, "startMs" | "endMs" | "nowMs">): Iterable<Observed>;
  /** Observations of the range in blocks of at most `blockRows` rows; gaps are absent, bad epochs are labelled. */
  epochs(station: WorldStation, request: BlockRequest, blockRows?: number): IterableIterator<EpochBlock>;
}
