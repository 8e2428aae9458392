import type { Shape } from "#shared/plot/figure/scene.ts";
import type { PlotTheme } from "#shared/plot/theme.ts";
import type { TimeRange } from "#shared/time/range.ts";

/** A figure of this view, drawn the same on the screen and in a file, at any size. */
export interface Picture {
  readonly id: string;
  readonly title: string;
  /** What a reader has to know: units, signs, exclusions. */
  readonly note: string;
  /** Its content for screen readers. */
  readonly summary: string;
  readonly draw: (width: number, height: number, theme: PlotTheme) => readonly Shape[];
  /** Whether the figure takes more of a row than others; by default, figures over time do. */
  readonly isWide?: boolean;
  /** The values under the cursor, for figures over time. */
  readonly readings?: Readings;
}

/** A station with its name and the index of its colour. */
export interface PlottedStation {
  readonly id: string;
  readonly name: string;
  readonly slot: number;
}

export interface Readings {
  readonly range: TimeRange;
  /** Reads all lines at a time, or at the nearest row within `withinMs`. */
  readonly at: (timeMs: number, withinMs: number) => Reading;
}

export interface Reading {
  readonly timeMs: number;
  /** In the order of the stations; the text is a dash without a value. */
  readonly values: readonly (PlottedStation & { readonly text: string })[];
}
