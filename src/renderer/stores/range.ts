import { z } from "zod";
import { durationMs, type TimeRange } from "#shared/time/range.ts";
import { type MovingRange, resolveMovingRange } from "#shared/time/typed.ts";
import { MINUTE_MS, type UtcMs } from "#shared/time/utc.ts";
import { movingRange } from "#shared/views/view.ts";
import { useWorkspace, type Workspace } from "./workspace.ts";

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
  const stop = new AbortController();
  const early = { capture: true, signal: stop.signal };
  addEventListener("pointerdown", press, early);
  addEventListener("pointerup", release, early);
  addEventListener("pointercancel", release, early);
  document.addEventListener("visibilitychange", update, stop);
  return () => {
    clearInterval(timer);
    stop.abort();
  };
}

const entrySchema = z.object({
  step: z.number().int().min(0),
  range: z.object({ startMs: z.number(), endMs: z.number() }).refine((r) => r.endMs > r.startMs),
  moving: movingRange.nullable(),
});
type Entry = z.output<typeof entrySchema>;

/**
 * Keeps the shown ranges in the history of the page, so that the back and forward keys and buttons of the browser, the
 * mouse and the desktop work.
 */
export function createRangeHistory(stack: Pick<History, "pushState" | "replaceState" | "state">, nowMs: () => UtcMs) {
  const current = (): Entry | null => entrySchema.safeParse(stack.state).data ?? null;
  return {
    /** Whether there is a range to go back to. */
    canGoBack: (): boolean => (current()?.step ?? 0) > 0,

    /** Records a range that is shown now. */
    record({ range, moving }: ShownTime): void {
      const now = current();
      const isMovedByClock = now !== null && moving !== null && isSameMoving(now.moving, moving);
      if (now && isSameRange(now, { range, moving })) return;
      if (now && !isMovedByClock) stack.pushState({ step: now.step + 1, range, moving } satisfies Entry, "");
      else stack.replaceState({ step: now?.step ?? 0, range, moving } satisfies Entry, "");
    },

    /** Returns the range of a history entry; a moving range is resolved for the current time. */
    rangeAt(state: unknown): ShownTime | null {
      const entry = entrySchema.safeParse(state).data;
      if (!entry) return null;
      const moved = entry.moving && resolveMovingRange(entry.moving, nowMs());
      return { range: moved ?? entry.range, moving: entry.moving };
    },
  };
}

export function isSameRange(a: ShownTime, b: ShownTime): boolean {
  const isSame = a.range.startMs === b.range.startMs && a.range.endMs === b.range.endMs;
  return isSame && isSameMoving(a.moving, b.moving);
}

export function isSameMoving(a: Entry["moving"], b: Entry["moving"]): boolean {
  return a?.start === b?.start && a?.end === b?.end;
}

/** Records every range that the workspace shows, and follows the back and forward buttons. */
export function followRangeHistory(): { readonly canGoBack: () => boolean; readonly stop: () => void } {
  const ranges = createRangeHistory(history, Date.now);
  ranges.record(useWorkspace.getState());
  const unsubscribe = useWorkspace.subscribe((next, before) => {
    if (next.range !== before.range || next.moving !== before.moving) ranges.record(next);
  });
  const onPop = ({ state }: PopStateEvent): void => {
    const shown = ranges.rangeAt(state);
    if (shown) useWorkspace.setState(shown);
  };
  addEventListener("popstate", onPop);
  return {
    canGoBack: ranges.canGoBack,
    stop() {
      unsubscribe();
      removeEventListener("popstate", onPop);
    },
  };
}
