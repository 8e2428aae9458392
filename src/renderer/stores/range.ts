import { durationMs, type TimeRange } from "#shared/time/range.ts";
import { type MovingRange, resolveMovingRange } from "#shared/time/typed.ts";
import { MINUTE_MS, type UtcMs } from "#shared/time/utc.ts";
import { useWorkspace } from "./workspace.ts";
import type { Workspace } from "./workspaceSchema.ts";

/** A shift of this share of the range is about a pixel of a plot; a smaller one is not worth drawing everything again. */
const VISIBLE_SHARE = 1 / 1_500;
const TICK_MS = 15_000;

/** Part of a workspace that says which time is shown. */
export type ShownTime = Pick<Workspace, "range" | "moving">;

/** Shows a fixed range of time. */
export function showRange(range: TimeRange): void {
  useWorkspace.setState({ range, moving: null });
}

/** Shows a range that moves with the clock from now on. */
export function showMovingRange(moving: MovingRange): void {
  const range = resolveMovingRange(moving, Date.now());
  if (range) useWorkspace.setState({ range, moving });
}

/**
 * Where the range lies now, if it moves with the clock and has moved far enough to be seen.
 *
 * @returns null where it stays
 */
export function movedRange({ range, moving }: ShownTime, nowMs: UtcMs): TimeRange | null {
  const next = moving && resolveMovingRange(moving, nowMs);
  if (!next) return null;
  const shift = Math.max(Math.abs(next.startMs - range.startMs), Math.abs(next.endMs - range.endMs));
  return shift >= Math.max(MINUTE_MS, durationMs(next) * VISIBLE_SHARE) ? next : null;
}

/** Lets the shown range move with the clock, also after a night's sleep; never under a pressed pointer. */
export function followClock(): () => void {
  let isPressed = false;
  const look = (): void => {
    if (isPressed || document.hidden) return;
    const range = movedRange(useWorkspace.getState(), Date.now());
    if (range) useWorkspace.setState({ range });
  };
  const press = (): void => void (isPressed = true);
  const release = (): void => void (isPressed = false);
  const timer = setInterval(look, TICK_MS);
  addEventListener("pointerdown", press, { capture: true });
  addEventListener("pointerup", release, { capture: true });
  addEventListener("pointercancel", release, { capture: true });
  document.addEventListener("visibilitychange", look);
  return () => {
    clearInterval(timer);
    removeEventListener("pointerdown", press, { capture: true });
    removeEventListener("pointerup", release, { capture: true });
    removeEventListener("pointercancel", release, { capture: true });
    document.removeEventListener("visibilitychange", look);
  };
}
