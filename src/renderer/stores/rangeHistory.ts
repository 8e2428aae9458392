import { z } from "zod";
import { movingRange } from "#shared/views/view.ts";
import { resolveMovingRange } from "#shared/time/typed.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { ShownTime } from "./range.ts";
import { useWorkspace } from "./workspace.ts";

const entrySchema = z.object({
  step: z.number().int().min(0),
  range: z.object({ startMs: z.number(), endMs: z.number() }).refine((r) => r.endMs > r.startMs),
  moving: movingRange.nullable(),
});
type Entry = z.output<typeof entrySchema>;

/** The part of the browser's history that is used. */
export type HistoryStack = Pick<History, "pushState" | "replaceState" | "state">;

/**
 * Keeps the shown ranges in the history of the page, so that the back and forward keys and buttons of the browser, the
 * mouse and the desktop work.
 */
export function createRangeHistory(stack: HistoryStack, nowMs: () => UtcMs) {
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

function isSameRange(a: ShownTime, b: ShownTime): boolean {
  const isSame = a.range.startMs === b.range.startMs && a.range.endMs === b.range.endMs;
  return isSame && isSameMoving(a.moving, b.moving);
}

function isSameMoving(a: Entry["moving"], b: Entry["moving"]): boolean {
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
