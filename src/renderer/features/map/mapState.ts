import { create } from "zustand";
import type { UtcMs } from "#shared/time/utc.ts";
import type { Frame } from "./frames.ts";

/** What is momentary about the map: kept while the window is open, not beyond. */
interface MapState {
  /** null: the newest moment of the time range that has data. */
  readonly momentMs: UtcMs | null;
  readonly isPlaying: boolean;
  /** What the service told last, while that is shown instead of the cache. */
  readonly live: Frame | null;
  /** What the service told of one moment, beside what the cache shows of it. */
  readonly told: Told | null;
}

/** Answers of the service about one moment; nothing of them is kept. */
export interface Told {
  /** What was asked, of which moment: for another question it counts for nothing. */
  readonly of: string;
  readonly frame: Frame;
  readonly askedIds: ReadonlySet<string>;
}

export const useMapState = create<MapState>(() => ({ momentMs: null, isPlaying: false, live: null, told: null }));

export function showMoment(momentMs: UtcMs): void {
  useMapState.setState({ momentMs, live: null });
}

export function togglePlaying(): void {
  useMapState.setState((s) => ({ isPlaying: !s.isPlaying, live: null }));
}

/** Where the map looked when it was left, for each connection. */
export const CAMERA_PANE = "map.camera";
