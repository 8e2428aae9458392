import type { Desktop } from "../ports.ts";
import type { Clock } from "../sync/clock.ts";
import { Throttle } from "./throttle.ts";

interface Task {
  /** 0 to 1. */
  progress(share: number): void;
  /** Must be called once; `notice` is the notification, if any. */
  end(notice: { readonly title: string; readonly text: string } | null): void;
}

/** Shorter tasks get no notification, because the user is probably still there. */
const LONG_MS = 20_000;
const PAUSE_MS = 500;

/** Work that a user may wait for: shown as progress at the program's icon, with a notification at the end if it took long. */
export class Workload {
  readonly #desktop: Desktop | undefined;
  readonly #clock: Clock;
  readonly #wantsNotices: () => boolean;
  readonly #shares = new Map<Task, number>();
  readonly #throttle;

  /** @param wantsNotices whether the user wants notifications; called each time */
  constructor(desktop: Desktop | undefined, clock: Clock, wantsNotices: () => boolean) {
    this.#desktop = desktop;
    this.#clock = clock;
    this.#wantsNotices = wantsNotices;
    this.#throttle = new Throttle(clock, PAUSE_MS, () => {
      const all = [...this.#shares.values()];
      desktop?.showProgress?.(all.length === 0 ? null : all.reduce((sum, share) => sum + share, 0) / all.length);
    });
  }

  begin(): Task {
    const startedMs = this.#clock.monotonicMs();
    const task: Task = {
      progress: (share) => {
        this.#shares.set(task, Math.min(1, Math.max(0, share)));
        this.#throttle.schedule();
      },
      end: (notice) => {
        this.#shares.delete(task);
        if (this.#shares.size === 0) this.#throttle.now();
        else this.#throttle.schedule();
        const isLong = this.#clock.monotonicMs() - startedMs > LONG_MS;
        if (notice && isLong && this.#wantsNotices()) this.#desktop?.notify?.(notice.title, notice.text);
      },
    };
    task.progress(0);
    return task;
  }

  stop(): void {
    this.#throttle.stop();
  }
}
