/** What is compared with us in the same run: its samples, or a sentence on why there are none. */
export type Peer =
  | { readonly name: string; readonly samples: readonly number[] }
  | { readonly name: string; readonly absent: string };

/** A bound that a figure has to keep; `reached` is given our median and, where a peer ran, how many times better it is. */
export interface Goal {
  readonly text: string;
  readonly reached: (ours: number, ratio: number | null) => boolean | null;
}

/** One line of the table. */
export interface Finding {
  readonly name: string;
  readonly unit: string;
  /** Which way is better: more rows per second, fewer milliseconds. */
  readonly better: "more" | "less";
  readonly samples: readonly number[];
  readonly peer: Peer | null;
  readonly goal: Goal | null;
  readonly note: string | null;
}

/** Digits after the point of the measured data: 1 is 0.1 mm, null is every digit of a double. */
export interface Precision {
  readonly label: "0.1 mm" | "full";
  readonly decimals: number | null;
}

export const PRECISIONS: readonly Precision[] = [
  { label: "0.1 mm", decimals: 1 },
  { label: "full", decimals: null },
];

/** How much is measured, and how often. */
export interface Scale {
  readonly runs: number;
  /** Days of ten stations that make the body of about a million rows; hours may be fractions. */
  readonly millionDays: number;
  /** Days of ten stations that make about ten million rows. */
  readonly tenMillionDays: number;
  /** Days of what counts as a station-year. */
  readonly yearDays: number;
  readonly satelliteDays: number;
  readonly isQuick: boolean;
}

/** What every figure is given. */
export interface Bench {
  readonly scale: Scale;
  /** Temporary; removed at the end. */
  readonly folder: string;
  /** A Python that has all the packages of the peers, or the sentence on how to get one. */
  readonly python: Tool;
  readonly sqlite3: Tool;
  readonly say: (sentence: string) => void;
}

/** A program beside us: where it is, or how to get it. */
export type Tool = { readonly path: string } | { readonly absent: string };

export interface Figure {
  readonly name: string;
  readonly about: string;
  /** One after the other, so that what was found stays where a later one fails. */
  readonly measure: (bench: Bench) => AsyncIterable<Finding>;
}
