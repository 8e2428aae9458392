/** A label beside its mark, in pixels of the screen. */
export interface MapLabel {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

export interface Mark {
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

export const LABEL_PX = 11;
const BESIDE_PX = 9;
const APART_PX = 3;

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly foot: number;
}

/**
 * Labels that lie neither on each other nor on a mark: right of their marks, or left of them where there is no room.
 * Marks that come first are labelled first; those without room have no label.
 *
 * @param widthOf pixels of a text
 */
export function placedLabels(marks: readonly Mark[], widthOf: (text: string) => number): MapLabel[] {
  const taken: Box[] = marks.map(({ x, y }) => ({ left: x - 5, right: x + 5, top: y - 5, foot: y + 5 }));
  const found: MapLabel[] = [];
  for (const [i, { x, y, text }] of marks.entries()) {
    const width = widthOf(text);
    for (const left of [x + BESIDE_PX, x - BESIDE_PX - width]) {
      const box = { left, right: left + width, top: y - LABEL_PX / 2, foot: y + LABEL_PX / 2 };
      if (taken.some((other, k) => k !== i && isOver(box, other))) continue;
      taken.push(box);
      found.push({ text, x: left, y, width });
      break;
    }
  }
  return found;
}

function isOver(a: Box, b: Box): boolean {
  return (
    a.left < b.right + APART_PX && b.left < a.right + APART_PX && a.top < b.foot + APART_PX && b.top < a.foot + APART_PX
  );
}
