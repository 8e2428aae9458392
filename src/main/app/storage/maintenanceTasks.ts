import type { WorkPace } from "../../store/types.ts";
import type { Clock } from "../../sync/clock.ts";
import type { Events } from "../events.ts";
import { Throttle } from "../throttle.ts";

const EVENT_PAUSE_MS = 150;

interface Running {
  readonly names: readonly (string | null)[];
  readonly control: AbortController;
  readonly ended: Promise<unknown>;
}

/** Long-running maintenance of caches. Windows see its progress, and it continues when the window that started it closes. */
export class MaintenanceTasks {
  readonly #events: Events;
  readonly #clock: Clock;
  readonly #running = new Set<Running>();

  constructor(events: Events, clock: Clock) {
    this.#events = events;
    this.#clock = clock;
  }

  /**
   * @param workId id in the events `workProgress`
   * @param callerSignal also stops the task, if it shall end with its caller
   */
  async run<T>(
    {
      workId,
      connectionId,
      callerSignal,
    }: { readonly workId: string; readonly connectionId: string | null; readonly callerSignal?: AbortSignal },
    work: (pace: WorkPace) => Promise<T>,
  ): Promise<T> {
    let share = 0;
    const throttle = new Throttle(this.#clock, EVENT_PAUSE_MS, () =>
      this.#events.emit("workProgress", { workId, share }),
    );
    const onProgress = (now: number): void => {
      share = now;
      throttle.schedule();
    };
    const control = new AbortController();
    const signal = callerSignal ? AbortSignal.any([control.signal, callerSignal]) : control.signal;
    const result = work({ onProgress, signal });
    const entry = { names: [workId, connectionId], control, ended: result.catch(() => undefined) };
    this.#running.add(entry);
    try {
      return await result;
    } finally {
      this.#running.delete(entry);
      throttle.stop();
    }
  }

  /** Stops a task, or all of a connection, and waits for the end. */
  stop(id: string): Promise<void> {
    return stopAndWait([...this.#running].filter((r) => r.names.includes(id)));
  }

  stopAll(): Promise<void> {
    return stopAndWait([...this.#running]);
  }
}

async function stopAndWait(those: readonly Running[]): Promise<void> {
  for (const { control } of those) control.abort();
  await Promise.all(those.map((r) => r.ended));
}
