import { text } from "./page.ts";
import type { VectorShape } from "./scene.ts";

interface BarPlace {
  readonly x: number;
  readonly y: number;
  readonly length: number;
  /** Whether low values are at the bottom, or at the left. */
  readonly direction: "up" | "right";
}

/** A colour scale with labels. */
interface ColourScale {
  /** From low to high. */
  readonly colours: readonly string[];
  /** Positions along the bar, 0 to 1, and their words. */
  readonly labels: readonly (readonly [share: number, words: string])[];
  /** Above a vertical bar, or beside a horizontal one. */
  readonly title: string;
}

export const BAR_PX = 12;
/** Each colour extends under the next, so that no seams show. */
const OVERLAP = 0.5;

/** The legend of a colour scale: a bar with labels. @param ink of labels and title */
export function colourBar(
  { x, y, length, direction }: BarPlace,
  { colours, labels, title }: ColourScale,
  ink: { readonly label: string; readonly title: string },
): VectorShape[] {
  const step = length / colours.length;
  const isUp = direction === "up";
  return [
    ...colours.map((colour, i): VectorShape => {
      const place = isUp
        ? { x, y: y + length - (i + 1) * step, width: BAR_PX, height: step + OVERLAP }
        : { x: x + i * step, y, width: step + OVERLAP, height: BAR_PX };
      return { kind: "rect", ...place, colour, opacity: 1 };
    }),
    ...labels.map(([share, words]) => {
      if (isUp)
        return text(
          [x + BAR_PX + 6, y + (1 - share) * length + (share === 1 ? 8 : share === 0 ? 1 : 4)],
          words,
          ink.label,
        );
      const anchor = share === 0 ? "start" : share === 1 ? "end" : "middle";
      return text([x + share * length, y + BAR_PX + 14], words, ink.label, { anchor });
    }),
    text(isUp ? [x, y - 9] : [x + length + 12, y + 10], title, ink.title),
  ];
}
