import type { GapCause } from "#shared/series/gap.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { RangeSet } from "#shared/time/rangeset.ts";
import type { StationGaps } from "./lanes.ts";
import type { Track } from "./track.ts";

/** What the values of a panel are. */
export interface PanelQuantity {
  /** Tells panels apart: for what the service has, the name of its variable. */
  readonly key: string;
  /** As in `ZTD`. */
  readonly short: string;
  /** In words. */
  readonly label: string;
  /** Empty where none is known. */
  readonly unit: string;
}

/** A station, or a series of an opened file, in a panel. */
export interface PanelLine {
  /** Tells the lines of a panel apart: the id of the station, or what names the series of a file. */
  readonly stationId: string;
  readonly name: string;
  /** null while nothing of it is here. */
  readonly track: Track | null;
  /** Token of its colour. */
  readonly colour: `--${string}`;
  readonly dash: readonly number[];
  /** Raw rows that the series does not have; null where none are shown. */
  readonly behind: Rejected | null;
}

export interface Rejected {
  readonly track: Track;
  /** Where it is certain that the quality filter took them away. */
  readonly judged: RangeSet;
}

/** Everything that one panel shows, as it is to be drawn: replaced as a whole where anything changes. */
export interface PanelModel {
  readonly quantity: PanelQuantity;
  /** Name of the one line in it, where each has a panel of its own. */
  readonly heading?: string;
  /** Shown stations in the order of choice. */
  readonly lines: readonly PanelLine[];
  /** Series of opened files: drawn beside the stations, and never one of them. */
  readonly fromFiles: readonly PanelLine[];
  /** Of the shown stations, where they are known. */
  readonly gaps: readonly StationGaps[];
  /** Limits that the user fixed; null: of what is visible. */
  readonly limits: readonly [number, number] | null;
  /** Whether the time axis stands below it. */
  readonly hasTimeAxis: boolean;
}

/** Stations and series of files together, as they are drawn. */
export function allLines({ lines, fromFiles }: PanelModel): readonly PanelLine[] {
  return fromFiles.length === 0 ? lines : [...lines, ...fromFiles];
}

/** A gap under the cursor. */
export interface GapUnder {
  readonly range: TimeRange;
  readonly cause: GapCause;
  /** Of what failed: why, as a sentence, where it is known. */
  readonly reason?: string;
  /** null where it is of several stations. */
  readonly stationId: string | null;
  readonly stations: number;
}

/** Where the cursor is: the moment, and what lies under it. Pixels of the window. */
export interface CursorPlace {
  readonly momentMs: number;
  readonly gap: GapUnder | null;
  /** Where each station has a row: of which one. */
  readonly stationId?: string | null;
  readonly clientX: number;
  readonly clientY: number;
}
