import type { Desktop } from "../ports.ts";
import type { Clock } from "../sync/clock.ts";
import { createThrottle } from "./pacing.ts";

/** Work that a user may wait for: shown as progress at the program's icon, with a notification at the end if it took long. */
export interface Workload {
  begin(): Task;
  stop(): void;
}

interface Task {
  /** 0 to 1. */
  progress(share: number): void;
  /** Must be called once; `notice` is the notification, if any. */
  end(notice: { readonly title: string; readonly text: string } | null): void;
}

/** Shorter tasks get no notification, because the user is probably still there. */
const LONG_MS = 20_000;
const PAUSE_MS = 500;

/** @param wantsNotices whether the user wants notifications; called each time */
export function createWorkload(desktop: Desktop | undefined, clock: Clock, wantsNotices: () => boolean): Workload {
  const shares = new Map<Task, number>();
  const throttle = createThrottle(clock, PAUSE_MS, () => {
    const all = [...shares.values()];
    desktop?.showProgress?.(all.length === 0 ? null : all.reduce((sum, share) => sum + share, 0) / all.length);
  });
  return {
    begin() {
      const startedMs = clock.monotonicMs();
      const task: Task = {
        progress(share) {
          shares.set(task, Math.min(1, Math.max(0, share)));
          throttle.schedule();
        },
        end(notice) {
          shares.delete(task);
          if (shares.size === 0) throttle.now();
          else throttle.schedule();
          const isLong = clock.monotonicMs() - startedMs > LONG_MS;
          if (notice && isLong && wantsNotices()) desktop?.notify?.(notice.title, notice.text);
        },
      };
      task.progress(0);
      return task;
    },
    stop: () => throttle.stop(),
  };
}
