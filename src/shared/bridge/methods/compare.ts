import { z } from "zod";
import { variableSchema } from "#shared/service/query.ts";
import { method } from "../method.ts";
import type { SeriesWindow } from "./series.ts";
import { connectionId, range, readMode, stationId } from "./words.ts";

/** Reasons for which a value is marked; it is never deleted. */
export const MARKS = ["range", "sigma", "step", "stuck"] as const;
export type Mark = (typeof MARKS)[number];
/** How many values carry each mark. A value may carry several. */
export type MarkCounts = Readonly<Record<Mark, number>>;

/** The longest gap and time to settle, and the longest time that a value may stand still, that can be asked for. */
export const MOST_MARK_MINUTES = 100_000;

/** When a value is marked; null is off. Limits are in the unit of the variable, all of them mm. */
export const markSettings = z.object({
  /** Marked below the first and above the second. */
  range: z.object({ min: z.number(), max: z.number() }).nullable(),
  /** Formal uncertainty of a ZTD above it. */
  sigmaMm: z.number().positive().nullable(),
  /** After a gap of at least `gapMinutes`, a first value that differs by more than `stepMm` from the last one marks `settleMinutes`. */
  step: z
    .object({
      gapMinutes: z.number().positive().max(MOST_MARK_MINUTES),
      stepMm: z.number().positive(),
      settleMinutes: z.number().min(0).max(MOST_MARK_MINUTES),
    })
    .nullable(),
  /** The very same value for this long, in at least three rows. */
  stuckMinutes: z.number().positive().max(1_000_000).nullable(),
});
export type MarkSettings = z.output<typeof markSettings>;

/** How rows of two stations are brought together. */
export const joining = z.enum(["nearest", "means"]);
export type Joining = z.output<typeof joining>;

/** Figures of A − B over the epochs that both have. NaN where there are too few values. */
export interface PairFigures {
  readonly aId: string;
  readonly bId: string;
  /** Epochs that count. */
  readonly n: number;
  /** Common epochs that are left out because one of the two values is marked. */
  readonly rejected: number;
  readonly biasMm: number;
  /** Standard deviation of a sample (n - 1). */
  readonly stdMm: number;
  readonly rmsMm: number;
  /** Pearson's, of A and B. */
  readonly correlation: number;
  readonly lag: Lag | null;
  /** Height of A above B in metres, in one vertical reference; null where it is not known. */
  readonly heightDifference: number | null;
  /** What was really done: means where the rows are too many to be held as they are. */
  readonly joining: Joining;
  /** Of "nearest" the largest distance between two rows that count as one epoch, of "means" the interval. Seconds. */
  readonly joinSeconds: number;
}

/** Where the cross-correlation is largest: B shows what A shows `seconds` later (earlier where negative). */
export interface Lag {
  readonly seconds: number;
  readonly correlation: number;
  /** Pairs of means at this lag, and the grid that they are on. */
  readonly n: number;
  readonly gridSeconds: number;
}

/** How many values carry each mark in each of `MARK_COLUMNS` equal parts of the range. */
export type MarkPlaces = Readonly<Record<Mark, Uint32Array>>;
export const MARK_COLUMNS = 1_000;

/** What is counted of one station. */
export interface StationMarks {
  readonly stationId: string;
  /** Values in the range, marked ones included. */
  readonly n: number;
  readonly counts: MarkCounts;
  /** Values with any mark. */
  readonly marked: number;
  /** When they are; null where none is marked. */
  readonly places: MarkPlaces | null;
}

export interface PairsAnswer {
  readonly pairs: readonly PairFigures[];
  /** Each other station less the reference, under the station's id and the variable. */
  readonly differences: readonly SeriesWindow[];
  readonly stations: readonly StationMarks[];
  readonly lagHours: number;
}

/** Values of B over those of A at common epochs: as points where they are few, else counted on a grid. */
export type Scatter = { readonly n: number; readonly aId: string; readonly bId: string } & (
  | { readonly kind: "points"; readonly a: Float64Array; readonly b: Float64Array }
  | {
      readonly kind: "density";
      readonly cells: number;
      /** `[row * cells + column]`, columns along A, rows along B, both from the low end. */
      readonly counts: Uint32Array;
      readonly a: { readonly low: number; readonly high: number };
      readonly b: { readonly low: number; readonly high: number };
    }
);

/** Percentiles of a set of values; NaN where there are none. */
export interface Box {
  readonly n: number;
  readonly p5: number;
  readonly p25: number;
  readonly p50: number;
  readonly p75: number;
  readonly p95: number;
}

export interface StationShape extends StationMarks {
  /** Marked values that are left out of all figures. */
  readonly rejected: number;
  readonly mean: number;
  /** Metres; null where it is not known. */
  readonly height: number | null;
  /** Values less the station's own mean over the range. */
  readonly anomaly: Box;
  /** The same by hour of the UTC day: 24. */
  readonly hours: readonly Box[];
  /** Formal uncertainties of ZTD, counted in bins of `sigmaBinMm` from zero; the last one holds all above. */
  readonly sigma: Uint32Array;
}

export interface StationShapes {
  readonly stations: readonly StationShape[];
  readonly sigmaBinMm: number;
  /** One reference for all stations. */
  readonly heightReference: "EGM2008" | "WGS84_ELLIPSOID";
}

export interface DerivedRow {
  readonly stationId: string;
  readonly n: number;
  readonly rejected: number;
  /** Metres above the geoid; null where it is not known: then nothing can be derived. */
  readonly orthometricHeight: number | null;
  readonly isPressureGiven: boolean;
  readonly isTemperatureGiven: boolean;
  /** Where the position is not known, 45° stand in. */
  readonly isLatitudeKnown: boolean;
  readonly pressureHpa: Measure;
  readonly meanTemperatureK: Measure;
  /** Mean over the range, with the mean formal uncertainty. */
  readonly ztdMm: Measure;
  readonly zhdMm: Measure;
  readonly zwdMm: Measure;
  /** Kilograms per square metre, from the wet delay. */
  readonly iwvFromDelay: Measure;
  /** The same of the service's PWV: 1 mm is 1 kg m-2. Its uncertainty is not told. */
  readonly iwvFromPwv: number;
}

/**
 * Derived quantities of one station over time, of one pressure and temperature for all of it. In each window the values
 * are named `ztd` and their standard uncertainty `ztd_sigma`, as a plot draws a delay with its band; the uncertainty is
 * NaN where that of the total delay is not cached.
 */
export interface DerivedSeries {
  readonly stationId: string;
  /** Seconds between two values where none is missing: a longer distance is a gap. */
  readonly stepSeconds: number;
  /** Hydrostatic delay, mm: it stands still, since the pressure does. */
  readonly zhd: SeriesWindow;
  /** Wet delay, mm. */
  readonly zwd: SeriesWindow;
  /** Water vapour from the wet delay, kg m-2. */
  readonly iwv: SeriesWindow;
}

/** A value and its standard uncertainty; NaN where there is none. */
export interface Measure {
  readonly value: number;
  readonly sigma: number;
}

export interface DerivedAnswer {
  readonly rows: readonly DerivedRow[];
  /** Of the stations of which anything can be derived. */
  readonly series: readonly DerivedSeries[];
  /** What was computed, with the constants as used: a name and its formula. */
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
  /** Whether marked values are left out of figures and plots. */
  leavesOut: z.boolean(),
};

const atmosphere = z.object({
  pressureHpa: z.number().min(300).max(1_100).nullable(),
  temperatureC: z.number().min(-90).max(60).nullable(),
});

/** Stations beside each other, from the cache. Nothing here sends anything. Faults of all: usage, disk. */
export const compare = {
  /** All pairs, the reference always as B. */
  pairs: method<PairsAnswer>()(
    z.object({
      ...selection,
      variable: variableSchema,
      referenceId: stationId,
      joining,
      columns: z.number().int().min(1).max(20_000),
    }),
  ),
  scatter: method<Scatter>()(
    z.object({ ...selection, variable: variableSchema, aId: stationId, bId: stationId, joining }),
  ),
  /** Each station by itself. */
  stations: method<StationShapes>()(z.object({ ...selection, variable: variableSchema })),
  /** Rate of PWV in mm per hour under the name `pwv`: the slope of a line through the values of a window around each. */
  rate: method<readonly SeriesWindow[]>()(
    z.object({
      ...selection,
      windowMinutes: z.number().min(10).max(1_440),
      columns: z.number().int().min(1).max(20_000),
    }),
  ),
  /** Hydrostatic and wet delay and water vapour, derived here. */
  derived: method<DerivedAnswer>()(
    z.object({
      ...selection,
      /** What the user knows of single stations; the standard atmosphere stands in. */
      atmospheres: z.record(z.string(), atmosphere),
      sigmaPressureHpa: z.number().min(0).max(100),
      /** Of the standard atmosphere, where no pressure is given. */
      sigmaStandardPressureHpa: z.number().min(0).max(100),
      sigmaMeanTemperatureK: z.number().min(0).max(50),
      columns: z.number().int().min(1).max(20_000),
    }),
  ),
};
