import type { Clock } from "../../sync/clock.ts";

/** Named timers. Setting one again restarts it. */
interface Timers {
  set(name: string, waitMs: number, act: () => void): void;
  clear(name: string): void;
  clearAll(): void;
}

export function createTimers(clock: Clock): Timers {
  const controllers = new Map<string, AbortController>();

  async function wait(name: string, waitMs: number, act: () => void, controller: AbortController): Promise<void> {
    await clock.sleep(waitMs, controller.signal);
    if (controller.signal.aborted) return;
    controllers.delete(name);
    act();
  }

  function clear(name: string): void {
    controllers.get(name)?.abort();
    controllers.delete(name);
  }

  return {
    set(name, waitMs, act) {
      clear(name);
      const controller = new AbortController();
      controllers.set(name, controller);
      void wait(name, waitMs, act, controller);
    },
    clear,
    clearAll() {
      for (const name of controllers.keys()) clear(name);
    },
  };
}
