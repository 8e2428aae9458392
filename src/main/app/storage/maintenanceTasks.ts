import type { WorkPace } from "../../store/types.ts";
import type { Clock } from "../../sync/clock.ts";
import type { Events } from "../events.ts";
import { createThrottle } from "../pacing.ts";

/** Long-running maintenance of caches. Windows see its progress, and it continues when the window that started it closes. */
export interface MaintenanceTasks {
  /**
   * @param workId id in the events `workProgress`
   * @param callerSignal also stops the task, if it shall end with its caller
   */
  run<T>(
    task: { readonly workId: string; readonly connectionId: string | null; readonly callerSignal?: AbortSignal },
    work: (pace: WorkPace) => Promise<T>,
  ): Promise<T>;
  /** Stops a task, or all of a connection, and waits for the end. */
  stop(workOrConnectionId: string): Promise<void>;
  stopAll(): Promise<void>;
}

const EVENT_PAUSE_MS = 150;

interface Running {
  readonly names: readonly (string | null)[];
  readonly control: AbortController;
  readonly ended: Promise<unknown>;
}

export function createMaintenanceTasks(events: Events, clock: Clock): MaintenanceTasks {
  const running = new Set<Running>();

  async function stopAndWait(those: readonly Running[]): Promise<void> {
    for (const { control } of those) control.abort();
    await Promise.all(those.map((r) => r.ended));
  }

  return {
    async run({ workId, connectionId, callerSignal }, work) {
      let share = 0;
      const throttle = createThrottle(clock, EVENT_PAUSE_MS, () => events.emit("workProgress", { workId, share }));
      const onProgress = (now: number): void => {
        share = now;
        throttle.schedule();
      };
      const control = new AbortController();
      const signal = callerSignal ? AbortSignal.any([control.signal, callerSignal]) : control.signal;
      const result = work({ onProgress, signal });
      const entry = { names: [workId, connectionId], control, ended: result.catch(() => undefined) };
      running.add(entry);
      try {
        return await result;
      } finally {
        running.delete(entry);
        throttle.stop();
      }
    },
    stop: (id) => stopAndWait([...running].filter((r) => r.names.includes(id))),
    stopAll: () => stopAndWait([...running]),
  };
}
