import type { GapCause } from "#shared/series/gap.ts";
import type { Position } from "#shared/station/position.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { RangeSet } from "#shared/time/rangeset.ts";
import type { Annotations } from "./annotations.ts";
import type { StationGaps } from "./lanes.ts";
import type { Track } from "./track.ts";

export interface PanelQuantity {
  /** Identifies the panel: for variables of the service, their name. */
  readonly key: string;
  /** `ZTD` */
  readonly short: string;
  /** `Zenith total delay` */
  readonly label: string;
  /** Empty if unknown. */
  readonly unit: string;
}

/** A station, or a series of an opened file, in a panel. */
export interface PanelLine {
  /** Identifies the line in its panel: the id of the station, or a key of the series of a file. */
  readonly stationId: string;
  readonly name: string;
  /** null until data is loaded. */
  readonly track: Track | null;
  /** Token of its colour. */
  readonly colour: `--${string}`;
  /** Of a series of a file. Stations have theirs in the catalogue. */
  readonly place?: Pick<Position, "latitudeDeg" | "longitudeDeg"> | null;
  readonly dash: readonly number[];
  /** Rejected data; null if none is shown. */
  readonly rejected: Rejected | null;
  /** For data of an earlier time: the id of their station, the milliseconds by which they are moved, and "from 2025-11-21". */
  readonly earlier?: { readonly stationId: string; readonly byMs: number; readonly from: string };
}

/** The station of a line, also at an earlier time; else the line itself. */
export function subjectOf({ stationId, earlier }: PanelLine): string {
  return earlier?.stationId ?? stationId;
}

export interface Rejected {
  readonly track: Track;
  /** Ranges in which the quality filter certainly rejected the data. */
  readonly judged: RangeSet;
}

/** Immutable content of a panel. */
export interface PanelModel {
  readonly quantity: PanelQuantity;
  /** Name of its only line, if each line has its own panel. */
  readonly heading?: string;
  /** Shown stations in the order of selection. */
  readonly lines: readonly PanelLine[];
  /** Series of opened files. */
  readonly fromFiles: readonly PanelLine[];
  /** Known gaps of the shown stations. */
  readonly gaps: readonly StationGaps[];
  /** Bounds fixed by the user; null: those of the visible values. */
  readonly bounds: readonly [number, number] | null;
  /** Thresholds of this quantity, and notes; none if absent. */
  readonly annotations?: Annotations;
  /** Whether the time axis is below this panel. */
  readonly hasTimeAxis: boolean;
}

/** Returns the lines of stations and files. */
export function allLines({ lines, fromFiles }: PanelModel): readonly PanelLine[] {
  return fromFiles.length === 0 ? lines : [...lines, ...fromFiles];
}

/** Returns the lines of all panels by what a legend names: a station, its earlier time, or a site of a file with all quantities. */
export function linesByName(models: readonly PanelModel[]): readonly (readonly PanelLine[])[] {
  const nameOf = ({ stationId, name, colour, place }: PanelLine): string =>
    place === undefined ? stationId : `${name} ${colour}`;
  return [...Map.groupBy(models.flatMap(allLines), nameOf).values()];
}

/** Returns the lines whose gaps are drawn: those of stations, also at an earlier time. */
export function lanedLines({ lines, fromFiles }: Pick<PanelModel, "lines" | "fromFiles">): readonly PanelLine[] {
  const earlier = fromFiles.filter((line) => line.earlier !== undefined);
  return earlier.length === 0 ? lines : [...lines, ...earlier];
}

/** A gap under the cursor. */
export interface GapUnder {
  readonly range: TimeRange;
  readonly cause: GapCause;
  /** For a failure: why, as a sentence, if known. */
  readonly reason?: string;
  /** null for a gap of several stations. */
  readonly stationId: string | null;
  readonly stations: number;
}

/** Position of the cursor in the plot and in the window (pixels). */
export interface CursorPlace {
  readonly momentMs: number;
  readonly gap: GapUnder | null;
  /** The station of the row, in views with a row per station, or of the line that is pointed at. */
  readonly stationId?: string | null;
  readonly clientX: number;
  readonly clientY: number;
}
