import { embeddedFonts, type FontWeight } from "../fonts.ts";

const WEIGHTS: readonly FontWeight[] = [400, 600];

/** Returns `@font-face` rules with embedded Inter for the alphabets of a text, in the weights of figures. */
export function fontFaces(text: string): string {
  const fonts = embeddedFonts();
  return WEIGHTS.flatMap((weight) =>
    [...new Set(fonts.runs(text, weight).map(({ file }) => file))].map((file) => {
      const source = `data:font/woff;base64,${fonts.read(file).toString("base64")}`;
      return `@font-face{font-family:Inter;font-weight:${weight};unicode-range:${fonts.rangeOf(file)};src:url(${source}) format("woff")}`;
    }),
  ).join("");
}
