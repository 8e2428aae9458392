/** In the device-independent points of the screen. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const USUAL = { width: 1440, height: 900 };
export const SMALLEST = { width: 720, height: 480 };
/** How far another window stands from the one before it, so that both are seen. */
const STEP = 28;

/**
 * Where a window opens: as it was left, as far as the displays of today allow. All of it lies on one display, within
 * what the system's bars leave free.
 *
 * @param saved where the last window was; null for the first one ever
 * @param workAreas free areas of all displays, the primary one first; at least one
 * @param openWindows how many windows are open already
 */
export function placeWindow(
  saved: Rectangle | null,
  workAreas: readonly [Rectangle, ...Rectangle[]],
  openWindows: number,
): Rectangle {
  const area = saved ? displayOf(saved, workAreas) : workAreas[0];
  const width = clamp(Math.round(saved?.width ?? USUAL.width), Math.min(SMALLEST.width, area.width), area.width);
  const height = clamp(Math.round(saved?.height ?? USUAL.height), Math.min(SMALLEST.height, area.height), area.height);
  const left = saved ? saved.x : area.x + (area.width - width) / 2;
  const top = saved ? saved.y : area.y + (area.height - height) / 2;
  const shift = openWindows * STEP;
  return {
    x: clamp(Math.round(left + shift), area.x, area.x + area.width - width),
    y: clamp(Math.round(top + shift), area.y, area.y + area.height - height),
    width,
    height,
  };
}

/** The display that shows most of it; the primary one where none shows any. */
function displayOf(window: Rectangle, [primary, ...others]: readonly [Rectangle, ...Rectangle[]]): Rectangle {
  return others.reduce((best, area) => (overlap(window, area) > overlap(window, best) ? area : best), primary);
}

function overlap(a: Rectangle, b: Rectangle): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return Math.max(0, width) * Math.max(0, height);
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, most));
}
