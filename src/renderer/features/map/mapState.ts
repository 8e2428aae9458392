import { z } from "zod";
import { create } from "zustand";
import type { UtcMs } from "#shared/time/utc.ts";
import { COLOURS } from "./colouring.ts";
import { lookSchema } from "./scale.ts";
import type { Frame } from "./frames.ts";
import { pane } from "../../stores/pane.ts";

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

/** Shows a moment. The last moment means the newest data, so the map follows newer data as they arrive. */
export function showMoment(momentMs: UtcMs, { lastMs }: { readonly lastMs: UtcMs }): void {
  useMapState.setState({ momentMs: momentMs < lastMs ? momentMs : null, live: null });
}

export function togglePlaying(): void {
  useMapState.setState((s) => ({ isPlaying: !s.isPlaying, live: null }));
}

export const CAMERA = pane(
  "map.camera",
  z.object({ longitudeDeg: z.number(), latitudeDeg: z.number(), scale: z.number() }).nullable().catch(null),
);

export const WITHIN_SECONDS = [60, 300, 900, 3_600, 21_600, 86_400] as const;
export const SPEEDS = [1, 2, 5, 10] as const;

export const MAP = pane(
  "map",
  z.object({
    colourBy: z.enum(COLOURS).catch("network"),
    /** Largest time difference from the moment. */
    withinSeconds: z.literal(WITHIN_SECONDS).catch(900),
    framesPerSecond: z.literal(SPEEDS).catch(5),
    hasLabels: z.boolean().catch(false),
    /** Scales that the user changed, by quantity. */
    scales: z.record(z.string(), lookSchema).catch({}),
  }),
);
export type MapOptions = ReturnType<typeof MAP.of>;
