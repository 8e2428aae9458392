import { create } from "zustand";
import type { UtcMs } from "#shared/time/utc.ts";
import type { Frame } from "./frames.ts";

/** State of the map that is not saved with the workspace. */
interface MapState {
  /** null: the newest moment of the time range with data. */
  readonly momentMs: UtcMs | null;
  readonly isPlaying: boolean;
  /** Latest values from the service, while they are shown instead of the cache. */
  readonly live: Frame | null;
  /** Values from the service of one moment, shown in addition to the cache. */
  readonly serviceValues: ServiceValues | null;
}

/** Values from the service of one moment; they are not cached. */
export interface ServiceValues {
  /** Identifies the query and the moment (`Snapshot.key`); for others, the values are ignored. */
  readonly key: string;
  readonly frame: Frame;
  readonly requestedIds: ReadonlySet<string>;
}

export const useMapState = create<MapState>(() => ({
  momentMs: null,
  isPlaying: false,
  live: null,
  serviceValues: null,
}));

export function showMoment(momentMs: UtcMs): void {
  useMapState.setState({ momentMs, live: null });
}

export function togglePlaying(): void {
  useMapState.setState((s) => ({ isPlaying: !s.isPlaying, live: null }));
}

/** Name under which the workspace keeps the camera. */
export const CAMERA_KEY = "map.camera";
