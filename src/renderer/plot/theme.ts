/** Colours and type of the style sheet, resolved for canvases and files. */
export interface PlotTheme {
  colour(token: string): string;
  /** Family names as a CSS list. */
  readonly fontFamily: string;
}

/** What the page shows now: light or dark. */
export function pageTheme(): PlotTheme {
  const style = getComputedStyle(document.documentElement);
  const known = new Map<string, string>();
  return {
    colour(token) {
      const colour = known.get(token) ?? style.getPropertyValue(token).trim();
      known.set(token, colour);
      return colour;
    },
    fontFamily: style.getPropertyValue("--font").trim(),
  };
}
