import type { TimeRange } from "#shared/time/range.ts";
import type { Shape } from "#shared/plot/figure/scene.ts";
import type { PlotTheme } from "#shared/plot/theme.ts";

/** One drawing of this view: on the screen and in a file the same, in whatever size. */
export interface Picture {
  readonly id: string;
  readonly title: string;
  /** What has to be known to read it: units, signs, what was left out. */
  readonly note: string;
  /** What it shows, for those who do not see it. */
  readonly summary: string;
  readonly draw: (width: number, height: number, theme: PlotTheme) => readonly Shape[];
  /** What can be read off it under a cursor, where it is over time. */
  readonly readings?: Readings;
}

/** A station as it is named and coloured. */
export interface Drawn {
  readonly id: string;
  readonly name: string;
  readonly slot: number;
}

export interface Readings {
  readonly range: TimeRange;
  /** What all lines have at a moment, or at the row nearest to it within so many milliseconds. */
  readonly at: (momentMs: number, withinMs: number) => ReadMoment;
}

export interface ReadMoment {
  readonly momentMs: number;
  /** In the order of the stations; a dash where one has nothing there. */
  readonly values: readonly (Drawn & { readonly text: string })[];
}
