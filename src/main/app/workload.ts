import type { Desktop } from "../ports.ts";
import type { Clock } from "../sync/clock.ts";
import { createThrottle } from "./throttle.ts";

/** Work that a user may wait for: shown at the program's icon while it runs, told at its end where it took long. */
export interface Workload {
  begin(): Task;
  stop(): void;
}

export interface Task {
  /** 0 to 1. */
  progress(share: number): void;
  /** Once, in every case; `notice` where its end is worth telling. */
  end(notice: { readonly title: string; readonly text: string } | null): void;
}

/** Whoever waited less has not gone away meanwhile. */
const LONG_MS = 20_000;
const PAUSE_MS = 500;

/** @param wantsNotices whether the user wants to be told; asked each time */
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
          throttle.ask();
        },
        end(notice) {
          shares.delete(task);
          if (shares.size === 0) throttle.now();
          else throttle.ask();
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
