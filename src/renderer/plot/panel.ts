import type { GapCause } from "#shared/series/gap.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { RangeSet } from "#shared/time/rangeset.ts";
import type { StationGaps } from "./lanes.ts";
import type { Track } from "./track.ts";

/** A station in a panel. */
export interface PanelLine {
  readonly stationId: string;
  readonly name: string;
  /** null while nothing of it is here. */
  readonly track: Track | null;
  /** Token of its colour. */
  readonly colour: `--${string}`;
  readonly dash: readonly number[];
  /** Raw rows that the series does not have; null where none are shown. */
  readonly behind: Behind | null;
}

export interface Behind {
  readonly track: Track;
  /** Where it is certain that the quality filter took them away. */
  readonly judged: RangeSet;
}

/** Everything that one panel shows, as it is to be drawn: replaced as a whole where anything changes. */
export interface PanelModel {
  readonly variable: Variable;
  /** Shown stations in the order of choice. */
  readonly lines: readonly PanelLine[];
  /** Of the shown stations, where they are known. */
  readonly gaps: readonly StationGaps[];
  /** Limits that the user fixed; null: of what is visible. */
  readonly limits: readonly [number, number] | null;
  /** Whether the time axis stands below it. */
  readonly hasTimeAxis: boolean;
}

/** A gap under the cursor. */
export interface GapUnder {
  readonly range: TimeRange;
  readonly cause: GapCause;
  /** null where it is of several stations. */
  readonly stationId: string | null;
  readonly stations: number;
}

/** Where the cursor is: the moment, and what lies under it. Pixels of the window. */
export interface CursorPlace {
  readonly variable: Variable;
  readonly momentMs: number;
  readonly gap: GapUnder | null;
  readonly clientX: number;
  readonly clientY: number;
}
