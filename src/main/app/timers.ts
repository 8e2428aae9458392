import type { Clock } from "../sync/clock.ts";

/** Named timers. Setting one again restarts it. */
export class Timers {
  readonly #clock: Clock;
  readonly #controllers = new Map<string, AbortController>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  set(name: string, waitMs: number, act: () => void): void {
    this.clear(name);
    const controller = new AbortController();
    this.#controllers.set(name, controller);
    void this.#wait(name, waitMs, act, controller);
  }

  clear(name: string): void {
    this.#controllers.get(name)?.abort();
    this.#controllers.delete(name);
  }

  clearAll(): void {
    for (const name of this.#controllers.keys()) this.clear(name);
  }

  async #wait(name: string, waitMs: number, act: () => void, controller: AbortController): Promise<void> {
    await this.#clock.sleep(waitMs, controller.signal);
    if (controller.signal.aborted) return;
    this.#controllers.delete(name);
    act();
  }
}
