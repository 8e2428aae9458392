import { z } from "zod";
import { HEIGHT_REFERENCES, type HeightReference } from "#shared/service/catalogue.ts";
import { variableSchema } from "#shared/service/query.ts";
import { method } from "../method.ts";
import type { SeriesWindow } from "./series.ts";
import { connectionId, range, readMode, stationId } from "./schemas.ts";

/** Reasons to mark a value. Marked values are never deleted. */
export const MARKS = ["range", "sigma", "step", "stuck"] as const;
export type Mark = (typeof MARKS)[number];
/** Number of values with each mark. A value may have several. */
export type MarkCounts = Readonly<Record<Mark, number>>;

/** Upper limit of the gap, settling and constant-value times. */
export const MAX_MARK_MINUTES = 100_000;

/** Criteria for marks; null is off. Limits are in the unit of the variable, always mm. */
const markSettings = z.object({
  /** Marked below the first and above the second. */
  range: z.object({ min: z.number(), max: z.number() }).nullable(),
  /** Marks a ZTD with a formal uncertainty above it. */
  sigmaMm: z.number().positive().nullable(),
  /** Marks `settleMinutes` after a gap of at least `gapMinutes` across which the value changes by more than `stepMm`. */
  step: z
    .object({
      gapMinutes: z.number().positive().max(MAX_MARK_MINUTES),
      stepMm: z.number().positive(),
      settleMinutes: z.number().min(0).max(MAX_MARK_MINUTES),
    })
    .nullable(),
  /** Marks values that stay the same for this long, in at least three rows. */
  stuckMinutes: z.number().positive().max(1_000_000).nullable(),
});
export type MarkSettings = z.output<typeof markSettings>;

/** How rows of two stations are paired. */
export const joining = z.enum(["nearest", "means"]);
export type Joining = z.output<typeof joining>;

/** Statistics of A − B over common epochs. NaN if there are too few values. */
export interface PairStatistics {
  readonly aId: string;
  readonly bId: string;
  /** Common epochs without marked values. */
  readonly n: number;
  /** Common epochs left out because of a marked value. */
  readonly rejected: number;
  readonly biasMm: number;
  /** Sample standard deviation (n - 1). */
  readonly stdMm: number;
  readonly rmsMm: number;
  /** Pearson correlation of A and B. */
  readonly correlation: number;
  readonly lag: Lag | null;
  /** Height of A above B in metres, in one vertical reference; null if unknown. */
  readonly heightDifference: number | null;
  /** The pairing used: means if there are too many rows for "nearest". */
  readonly joining: Joining;
  /** Seconds. For "nearest" the tolerance between paired rows, for "means" the interval. */
  readonly joinSeconds: number;
}

/** Maximum of the cross-correlation: B follows A by `seconds` (precedes it if negative). */
export interface Lag {
  readonly seconds: number;
  readonly correlation: number;
  /** Number of pairs of means at this lag; `gridSeconds` is their interval. */
  readonly n: number;
  readonly gridSeconds: number;
}

/** Number of values with each mark in each of `MARK_COLUMNS` equal parts of the range. */
export type MarkPlaces = Readonly<Record<Mark, Uint32Array>>;
export const MARK_COLUMNS = 1_000;

/** Counts of marks of one station. */
export interface StationMarks {
  readonly stationId: string;
  /** Values in the range, including marked ones. */
  readonly n: number;
  readonly counts: MarkCounts;
  /** Values with any mark. */
  readonly marked: number;
  /** null if no value is marked. */
  readonly places: MarkPlaces | null;
}

export interface PairsAnswer {
  readonly pairs: readonly PairStatistics[];
  /** Each other station minus the reference, under the station's id and the variable. */
  readonly differences: readonly SeriesWindow[];
  readonly stations: readonly StationMarks[];
  readonly lagHours: number;
  /** One reference for all heights. */
  readonly heightReference: HeightReference;
}

/** Values of B against values of A at common epochs: points if there are few, else counts on a grid. */
export type ScatterValues = { readonly n: number } & (
  | { readonly kind: "points"; readonly a: Float64Array; readonly b: Float64Array }
  | {
      readonly kind: "density";
      readonly cells: number;
      /** `[row * cells + column]`, columns along A, rows along B, both ascending. */
      readonly counts: Uint32Array;
      readonly a: { readonly low: number; readonly high: number };
      readonly b: { readonly low: number; readonly high: number };
    }
);

/** Of two stations. */
export type Scatter = ScatterValues & { readonly aId: string; readonly bId: string };

/** Percentiles; NaN without values. */
export interface Box {
  readonly n: number;
  readonly p5: number;
  readonly p25: number;
  readonly p50: number;
  readonly p75: number;
  readonly p95: number;
}

export interface StationShape extends StationMarks {
  /** Marked values left out of all statistics. */
  readonly rejected: number;
  readonly mean: number;
  /** Metres; null if unknown. */
  readonly height: number | null;
  /** Values minus the station's mean over the range. */
  readonly anomaly: Box;
  /** Anomalies by hour of the UTC day: 24 entries. */
  readonly hours: readonly Box[];
  /** Histogram of formal uncertainties of ZTD in bins of `sigmaBinMm` from zero; the last bin is open. */
  readonly sigma: Uint32Array;
}

export interface StationShapes {
  readonly stations: readonly StationShape[];
  readonly sigmaBinMm: number;
  /** One reference for all stations. */
  readonly heightReference: HeightReference;
}

export interface DerivedRow {
  readonly stationId: string;
  readonly n: number;
  readonly rejected: number;
  /** Metres above the geoid; null if unknown: then nothing can be derived. */
  readonly orthometricHeight: number | null;
  readonly isPressureGiven: boolean;
  readonly isTemperatureGiven: boolean;
  /** If false, 45° is assumed. */
  readonly isLatitudeKnown: boolean;
  readonly pressureHpa: Measure;
  readonly meanTemperatureK: Measure;
  /** Mean over the range, with the mean formal uncertainty. */
  readonly ztdMm: Measure;
  readonly zhdMm: Measure;
  readonly zwdMm: Measure;
  /** kg m-2, from the wet delay. */
  readonly iwvFromDelay: Measure;
  /** kg m-2, from the service's PWV (1 mm is 1 kg m-2). The service gives no uncertainty. */
  readonly iwvFromPwv: number;
}

/**
 * Derived quantities of one station over time, for a constant pressure and temperature. In each window the values are
 * named `ztd` and their standard uncertainty `ztd_sigma`, the names for which a plot draws a band. The uncertainty is
 * NaN if that of the total delay is not cached.
 */
export interface DerivedSeries {
  readonly stationId: string;
  /** Seconds between two consecutive values: a longer distance is a gap. */
  readonly stepSeconds: number;
  /** Hydrostatic delay, mm: constant like the pressure. */
  readonly zhd: SeriesWindow;
  /** Wet delay, mm. */
  readonly zwd: SeriesWindow;
  /** Water vapour from the wet delay, kg m-2. */
  readonly iwv: SeriesWindow;
}

/** A value and its standard uncertainty, or NaN. */
export interface Measure {
  readonly value: number;
  readonly sigma: number;
}

export interface DerivedAnswer {
  readonly rows: readonly DerivedRow[];
  /** Stations without derived values are left out. */
  readonly series: readonly DerivedSeries[];
  /** Names and formulas of the computed quantities, with the constants used. */
  readonly formulas: readonly { readonly name: string; readonly formula: string }[];
}

/** Stations that are compared with each other. */
const several = z.array(stationId).min(1).max(40).readonly();

const selection = {
  connectionId,
  stationIds: several,
  range,
  mode: readMode,
  marks: markSettings,
  /** Whether marked values are left out of statistics and plots. */
  leavesOut: z.boolean(),
};

/** The wanted reference of heights; the other one is used if more stations have it. */
const heights = z.enum(HEIGHT_REFERENCES);

const atmosphere = z.object({
  pressureHpa: z.number().min(300).max(1_100).nullable(),
  temperatureC: z.number().min(-90).max(60).nullable(),
});

/** Comparison of cached stations. Sends nothing. Faults of all: usage, disk. */
export const compare = {
  /** All pairs with the reference as B. */
  pairs: method<PairsAnswer>()(
    z.object({
      ...selection,
      variable: variableSchema,
      heights,
      referenceId: stationId,
      joining,
      columns: z.number().int().min(1).max(20_000),
    }),
  ),
  scatter: method<Scatter>()(
    z.object({ ...selection, variable: variableSchema, aId: stationId, bId: stationId, joining }),
  ),
  /** Statistics of each station by itself. */
  stations: method<StationShapes>()(z.object({ ...selection, variable: variableSchema, heights })),
  /** Rate of PWV in mm per hour under the name `pwv`: the slope of a line fitted to a window around each value. */
  rate: method<readonly SeriesWindow[]>()(
    z.object({
      ...selection,
      windowMinutes: z.number().min(10).max(1_440),
      columns: z.number().int().min(1).max(20_000),
    }),
  ),
  /** Hydrostatic delay, wet delay and water vapour. */
  derived: method<DerivedAnswer>()(
    z.object({
      ...selection,
      /** Values entered by the user, by station; the standard atmosphere is used for others. */
      atmospheres: z.record(z.string(), atmosphere),
      sigmaPressureHpa: z.number().min(0).max(100),
      /** Uncertainty of the standard atmosphere, if no pressure is given. */
      sigmaStandardPressureHpa: z.number().min(0).max(100),
      sigmaMeanTemperatureK: z.number().min(0).max(50),
      columns: z.number().int().min(1).max(20_000),
    }),
  ),
};
