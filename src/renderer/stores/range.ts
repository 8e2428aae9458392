import { durationMs, type TimeRange } from "#shared/time/range.ts";
import { type MovingRange, resolveMovingRange } from "#shared/time/typed.ts";
import { MINUTE_MS, type UtcMs } from "#shared/time/utc.ts";
import { useWorkspace } from "./workspace.ts";
import type { Workspace } from "./workspaceSchema.ts";

/** This share of the range is about one pixel of a plot; a smaller shift does not justify redrawing. */
const MIN_SHIFT_SHARE = 1 / 1_500;
const TICK_MS = 15_000;

/** The part of a workspace that determines the shown range. */
export type ShownTime = Pick<Workspace, "range" | "moving">;

/** Shows a fixed time range. */
export function showRange(range: TimeRange): void {
  useWorkspace.setState({ range, moving: null });
}

/** Shows a range that moves with the clock. */
export function showMovingRange(moving: MovingRange): void {
  const range = resolveMovingRange(moving, Date.now());
  if (range) useWorkspace.setState({ range, moving });
}

/**
 * Returns the current range if it moves with the clock and has moved visibly, else null.
 */
export function movedRange({ range, moving }: ShownTime, nowMs: UtcMs): TimeRange | null {
  const next = moving && resolveMovingRange(moving, nowMs);
  if (!next) return null;
  const shift = Math.max(Math.abs(next.startMs - range.startMs), Math.abs(next.endMs - range.endMs));
  return shift >= Math.max(MINUTE_MS, durationMs(next) * MIN_SHIFT_SHARE) ? next : null;
}

/**
 * Moves the shown range with the clock, also after the computer slept, but not while a pointer button is pressed.
 *
 * @returns a function that stops it
 */
export function followClock(): () => void {
  let isPressed = false;
  const update = (): void => {
    if (isPressed || document.hidden) return;
    const range = movedRange(useWorkspace.getState(), Date.now());
    if (range) useWorkspace.setState({ range });
  };
  const press = (): void => void (isPressed = true);
  const release = (): void => void (isPressed = false);
  const timer = setInterval(update, TICK_MS);
  addEventListener("pointerdown", press, { capture: true });
  addEventListener("pointerup", release, { capture: true });
  addEventListener("pointercancel", release, { capture: true });
  document.addEventListener("visibilitychange", update);
  return () => {
    clearInterval(timer);
    removeEventListener("pointerdown", press, { capture: true });
    removeEventListener("pointerup", release, { capture: true });
    removeEventListener("pointercancel", release, { capture: true });
    document.removeEventListener("visibilitychange", update);
  };
}
