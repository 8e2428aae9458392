import type { Clock } from "../../sync/clock.ts";
import type { Events } from "../events.ts";
import type { WorkPace } from "../../store/types.ts";
import { createThrottle } from "../throttle.ts";

/** Work on caches that takes a while: windows are told how far it is, and it goes on when the one that asked closes. */
export interface Works {
  /**
   * @param workId under which `workProgress` tells of it
   * @param also stops it too, where the work shall end with its caller
   */
  run<T>(
    of: { readonly workId: string; readonly connectionId: string | null; readonly also?: AbortSignal },
    work: (pace: WorkPace) => Promise<T>,
  ): Promise<T>;
  /** Stops a work, or all of a connection, and waits for its end. */
  stop(workOrConnectionId: string): Promise<void>;
  stopAll(): Promise<void>;
}

const EVENT_PAUSE_MS = 150;

interface Running {
  readonly names: readonly (string | null)[];
  readonly control: AbortController;
  readonly ended: Promise<unknown>;
}

export function createWorks(events: Events, clock: Clock): Works {
  const running = new Set<Running>();

  async function halt(those: readonly Running[]): Promise<void> {
    for (const { control } of those) control.abort();
    await Promise.all(those.map((r) => r.ended));
  }

  return {
    async run({ workId, connectionId, also }, work) {
      let share = 0;
      const throttle = createThrottle(clock, EVENT_PAUSE_MS, () => events.emit("workProgress", { workId, share }));
      const onProgress = (now: number): void => {
        share = now;
        throttle.ask();
      };
      const control = new AbortController();
      const signal = also ? AbortSignal.any([control.signal, also]) : control.signal;
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
    stop: (id) => halt([...running].filter((r) => r.names.includes(id))),
    stopAll: () => halt([...running]),
  };
}
