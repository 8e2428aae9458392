import greek from "@fontsource-variable/inter/files/inter-greek-standard-normal.woff2?inline";
import latin from "@fontsource-variable/inter/files/inter-latin-standard-normal.woff2?inline";

/** Subsets of the page's font with their characters; other characters are drawn in a font of the viewer. */
const PARTS = [
  { has: /[\u0020-\u00FF\u2000-\u206F\u2212]/u, range: "U+0-FF,U+2000-206F,U+2212", font: latin },
  { has: /[\u0370-\u03FF]/u, range: "U+370-3FF", font: greek },
] as const;

/** Returns `@font-face` rules with the embedded subsets that a text needs, so that browsers draw it like the page. */
export function fontFaces(text: string): string {
  return PARTS.filter(({ has }) => has.test(text))
    .map(
      ({ range, font }) =>
        `@font-face{font-family:"Inter Variable";font-weight:100 900;unicode-range:${range};src:url(${font}) format("woff2")}`,
    )
    .join("");
}
