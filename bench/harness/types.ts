/** A program that is compared with us in the same run: its samples, or the reason for their absence. */
export type Peer =
  | { readonly name: string; readonly samples: readonly number[] }
  | { readonly name: string; readonly absent: string };

/** A bound for a figure; `reached` takes our median and, if a peer ran, the factor by which we are better. */
export interface Goal {
  readonly text: string;
  readonly reached: (ours: number, ratio: number | null) => boolean | null;
}

/** One line of the table. */
export interface Finding {
  readonly name: string;
  readonly unit: string;
  /** The better direction: more rows per second, or fewer milliseconds. */
  readonly better: "more" | "less";
  readonly samples: readonly number[];
  readonly peer: Peer | null;
  readonly goal: Goal | null;
  readonly note: string | null;
}

/** Decimals of the measured data: 1 is 0.1 mm, null is the full precision of a double. */
export interface Precision {
  readonly label: "0.1 mm" | "full";
  readonly decimals: number | null;
}

export const PRECISIONS: readonly Precision[] = [
  { label: "0.1 mm", decimals: 1 },
  { label: "full", decimals: null },
];

/** The amount of data that is measured, and the number of runs. */
export interface Scale {
  readonly runs: number;
  /** Days of ten stations that give about a million rows; may be a fraction. */
  readonly millionDays: number;
  /** Days of ten stations that give about ten million rows. */
  readonly tenMillionDays: number;
  /** Days of a station-year. */
  readonly yearDays: number;
  readonly satelliteDays: number;
  readonly isQuick: boolean;
}

/** The environment of every figure. */
export interface Bench {
  readonly scale: Scale;
  /** Temporary; removed at the end. */
  readonly folder: string;
  /** A Python with all packages of the peers, or how to install one. */
  readonly python: Tool;
  readonly sqlite3: Tool;
  readonly say: (sentence: string) => void;
}

/** An external program: its path, or how to install it. */
export type Tool = { readonly path: string } | { readonly absent: string };

export interface Figure {
  readonly name: string;
  readonly about: string;
  /** Yields findings one by one, so that earlier findings remain if a later one fails. */
  readonly measure: (bench: Bench) => AsyncIterable<Finding>;
}
