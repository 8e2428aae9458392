import type { Clock } from "../../sync/clock.ts";

/** Waits with names; one that is set again begins anew. */
export interface Timers {
  set(name: string, waitMs: number, act: () => void): void;
  isSet(name: string): boolean;
  clear(name: string): void;
  clearAll(): void;
}

export function createTimers(clock: Clock): Timers {
  const waits = new Map<string, AbortController>();

  async function wait(name: string, waitMs: number, act: () => void, own: AbortController): Promise<void> {
    await clock.sleep(waitMs, own.signal);
    if (own.signal.aborted) return;
    waits.delete(name);
    act();
  }

  function clear(name: string): void {
    waits.get(name)?.abort();
    waits.delete(name);
  }

  return {
    set(name, waitMs, act) {
      clear(name);
      const own = new AbortController();
      waits.set(name, own);
      void wait(name, waitMs, act, own);
    },
    isSet: (name) => waits.has(name),
    clear,
    clearAll() {
      for (const name of waits.keys()) clear(name);
    },
  };
}
