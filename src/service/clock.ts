import type { UtcMs } from "#shared/time/utc.ts";

/** The service's own clock, which tests can move forward and back. */
export class ServiceClock {
  readonly #now: () => number;
  #offsetMs = 0;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  now(): UtcMs {
    return Math.floor(this.#now() + this.#offsetMs);
  }

  advance(ms: number): void {
    this.#offsetMs += ms;
  }
}
