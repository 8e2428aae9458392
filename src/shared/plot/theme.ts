/** Number of distinguishable colours; further series repeat them with dashed lines. */
export const SERIES_COLOURS = 8;

interface SeriesLook {
  /** A CSS colour with a variable, which canvas code has to resolve. */
  readonly colour: string;
  readonly variable: `--series-${number}`;
  readonly dash: readonly number[];
}

const DASHES: readonly (readonly number[])[] = [[], [6, 3], [2, 2]];

/** Returns colour and dash of a station, the same in every view. */
export function seriesLook(slot: number): SeriesLook {
  const variable = `--series-${(slot % SERIES_COLOURS) + 1}` as const;
  return {
    colour: `var(${variable})`,
    variable,
    dash: DASHES[Math.floor(slot / SERIES_COLOURS) % DASHES.length] ?? [],
  };
}

/** Colours and fonts of the style sheet, for canvases and files. */
export interface PlotTheme {
  colour(token: string): string;
  /** Family names as a CSS list. */
  readonly fontFamily: string;
}
