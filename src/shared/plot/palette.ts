/** Colours of the series, by place: as many as can be told apart, then the same again in dashes. */
export const SERIES_COLOURS = 8;

export interface SeriesLook {
  /** A CSS colour; canvas code resolves the variable. */
  readonly colour: string;
  readonly variable: `--series-${number}`;
  readonly dash: readonly number[];
}

const DASHES: readonly (readonly number[])[] = [[], [6, 3], [2, 2]];

/** How a station is drawn, the same in every view. */
export function seriesLook(slot: number): SeriesLook {
  const variable = `--series-${(slot % SERIES_COLOURS) + 1}` as const;
  return {
    colour: `var(${variable})`,
    variable,
    dash: DASHES[Math.floor(slot / SERIES_COLOURS) % DASHES.length] ?? [],
  };
}
