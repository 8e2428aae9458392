import { fieldsOf } from "../../stores/workspaceSchema.ts";
import { usePane } from "../../stores/workspace.ts";
import { type ColourBy, readColourBy } from "./colouring.ts";

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
