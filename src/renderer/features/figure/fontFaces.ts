import greek from "@fontsource-variable/inter/files/inter-greek-standard-normal.woff2?inline";
import latin from "@fontsource-variable/inter/files/inter-latin-standard-normal.woff2?inline";

/** Parts of the page's font with the letters that they have. Others are drawn in a font of the reader. */
const PARTS = [
  { has: /[\u0020-\u00FF\u2000-\u206F\u2212]/u, range: "U+0-FF,U+2000-206F,U+2212", font: latin },
  { has: /[\u0370-\u03FF]/u, range: "U+370-3FF", font: greek },
] as const;

/** The page's own font as rules of a style sheet, as far as a text needs it: browsers then draw a file as the page. */
export function fontFaces(text: string): string {
  return PARTS.filter(({ has }) => has.test(text))
    .map(
      ({ range, font }) =>
        `@font-face{font-family:"Inter Variable";font-weight:100 900;unicode-range:${range};src:url(${font}) format("woff2")}`,
    )
    .join("");
}
