// East Asian characters take two columns of a terminal, combining marks none. An approximation that is correct for the
// scripts of place names.
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const NO_WIDTH = /^[\p{Mn}\p{Me}\u200c\u200d]$/u;

/** Created when first needed, because most commands need none. */
let segmenter: Intl.Segmenter | null = null;

/** Number of terminal columns that a text takes. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += NO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

/** Truncates a text to a number of columns at a grapheme boundary, with `…` at the end. */
export function cut(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  let kept = "";
  let width = 1;
  for (const { segment } of segmenter.segment(text)) {
    width += displayWidth(segment);
    if (width > columns) break;
    kept += segment;
  }
  return columns > 0 ? `${kept}…` : "";
}
