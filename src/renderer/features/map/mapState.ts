import { create } from "zustand";
import type { UtcMs } from "#shared/time/utc.ts";
import { fieldsOf, usePane } from "../../stores/workspace.ts";
import { type ColourBy, readColourBy } from "./colouring.ts";
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
interface ServiceValues {
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

export interface MapOptions {
  readonly colourBy: ColourBy;
  /** Largest time difference from the moment. */
  readonly withinSeconds: number;
  readonly framesPerSecond: number;
  readonly hasLabels: boolean;
  /** Scales that the user changed, by quantity. */
  readonly scales: Readonly<Record<string, unknown>>;
  /** null: depends on the width. */
  readonly isListOpen: boolean | null;
}

export const WITHIN_SECONDS = [60, 300, 900, 3_600, 21_600, 86_400] as const;
export const SPEEDS = [1, 2, 5, 10] as const;

function readOptions(kept: unknown): MapOptions {
  const { colourBy, withinSeconds, framesPerSecond, hasLabels, scales, isListOpen } = fieldsOf(kept);
  return {
    colourBy: readColourBy(colourBy),
    withinSeconds: WITHIN_SECONDS.find((s) => s === withinSeconds) ?? 900,
    framesPerSecond: SPEEDS.find((s) => s === framesPerSecond) ?? 5,
    hasLabels: hasLabels === true,
    scales: fieldsOf(scales),
    isListOpen: typeof isListOpen === "boolean" ? isListOpen : null,
  };
}

/** Returns the options of the map, saved with the workspace. */
export function useMapOptions(): [MapOptions, (part: Partial<MapOptions>) => void] {
  const [options, set] = usePane("map", readOptions);
  return [options, (part) => set({ ...options, ...part })];
}
