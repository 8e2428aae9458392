import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { log } from "../log/index.ts";

/** In device-independent pixels of the screen. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const DEFAULT_SIZE = { width: 1440, height: 900 };
export const MIN_SIZE = { width: 720, height: 480 };
/** Offset of another window from the previous one, so that both are visible. */
const STEP = 28;

/**
 * The bounds of a new window: as they were saved, as far as the current displays allow. The window lies entirely in the
 * work area of one display.
 *
 * @param saved bounds of the last window; null for the first one ever
 * @param workAreas work areas of all displays, the primary one first; at least one
 * @param openWindows number of open windows
 */
export function placeWindow(
  saved: Rectangle | null,
  workAreas: readonly [Rectangle, ...Rectangle[]],
  openWindows: number,
): Rectangle {
  const area = saved ? displayOf(saved, workAreas) : workAreas[0];
  const width = clamp(Math.round(saved?.width ?? DEFAULT_SIZE.width), Math.min(MIN_SIZE.width, area.width), area.width);
  const height = clamp(
    Math.round(saved?.height ?? DEFAULT_SIZE.height),
    Math.min(MIN_SIZE.height, area.height),
    area.height,
  );
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

/** The display that shows most of the window; the primary one if none does. */
function displayOf(window: Rectangle, [primary, ...others]: readonly [Rectangle, ...Rectangle[]]): Rectangle {
  return others.reduce((best, area) => (overlap(window, area) > overlap(window, best) ? area : best), primary);
}

function overlap(a: Rectangle, b: Rectangle): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return Math.max(0, width) * Math.max(0, height);
}

function clamp(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(value, max));
}

const finite = z.number().refine((value) => Math.abs(value) < 1e6);

const schema = z.object({
  /** Bounds of the last window when it was neither maximized nor minimized. */
  bounds: z
    .object({ x: finite, y: finite, width: finite.positive(), height: finite.positive() })
    .nullable()
    .catch(null)
    .default(null),
  maximized: z.boolean().catch(false).default(false),
  /** Known before the core starts, so that a window does not flash in the wrong colour. */
  theme: z.enum(["system", "light", "dark"]).catch("system").default("system"),
});

type ShellState = Readonly<z.output<typeof schema>>;

/** The shell's state, in a small file, because the databases belong to the core. */
export interface ShellStateFile {
  readonly current: ShellState;
  /** Changes and writes the state at once, because the program may be about to end. Write errors are only logged. */
  change(changes: Partial<ShellState>): void;
}

export function openShellState(path: string): ShellStateFile {
  let current = readState(path);
  return {
    get current() {
      return current;
    },
    change(changes) {
      current = { ...current, ...changes };
      try {
        writeFileSync(`${path}.tmp`, `${JSON.stringify(current)}\n`);
        renameSync(`${path}.tmp`, path);
      } catch (reason) {
        log.warn("the position of the window could not be saved", reason);
      }
    },
  };
}

/** Falls back to the defaults if the file is missing or invalid. */
function readState(path: string): ShellState {
  try {
    return schema.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    return schema.parse({});
  }
}
