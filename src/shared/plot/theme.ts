/** Colours and fonts of the style sheet, for canvases and files. */
export interface PlotTheme {
  colour(token: string): string;
  /** Family names as a CSS list. */
  readonly fontFamily: string;
}
