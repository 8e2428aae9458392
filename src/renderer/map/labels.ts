/** A label beside its station, in screen pixels. */
interface MapLabel {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** The position of a station, in screen pixels, and its label. */
interface LabelAnchor {
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

export const LABEL_PX = 11;
const OFFSET_PX = 9;
const SPACING_PX = 3;

interface LabelBox {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/**
 * Places labels so that they overlap neither each other nor a station: to the right of the station, else to the left.
 * Earlier stations take precedence; a station without space gets no label.
 *
 * @param widthOf returns the width of a text in pixels
 */
export function placeLabels(anchors: readonly LabelAnchor[], widthOf: (text: string) => number): MapLabel[] {
  const taken: LabelBox[] = anchors.map(({ x, y }) => ({ left: x - 5, right: x + 5, top: y - 5, bottom: y + 5 }));
  const labels: MapLabel[] = [];
  for (const [i, { x, y, text }] of anchors.entries()) {
    const width = widthOf(text);
    for (const left of [x + OFFSET_PX, x - OFFSET_PX - width]) {
      const box = { left, right: left + width, top: y - LABEL_PX / 2, bottom: y + LABEL_PX / 2 };
      if (taken.some((other, k) => k !== i && overlaps(box, other))) continue;
      taken.push(box);
      labels.push({ text, x: left, y, width });
      break;
    }
  }
  return labels;
}

function overlaps(a: LabelBox, b: LabelBox): boolean {
  const isBeside = a.left >= b.right + SPACING_PX || b.left >= a.right + SPACING_PX;
  return !isBeside && a.top < b.bottom + SPACING_PX && b.top < a.bottom + SPACING_PX;
}
