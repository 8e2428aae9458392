export interface HeartbeatOptions {
  /** Sends a ping to the other side. */
  readonly ping: () => void;
  /**
   * Called with false if the other side left `beats` pings in a row unanswered, or sent no first message within `firstMs`;
   * with true when it answers again.
   */
  readonly onChange: (isAnswering: boolean) => void;
  readonly beatMs: number;
  readonly beats: number;
  readonly firstMs: number;
}

/**
 * Monitors whether the other side answers. Counts pings instead of time, because no ping is sent while the computer
 * sleeps. Sends no ping before the first message.
 */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #unanswered = 0;
  #isAnswering = true;
  #hasBegun = false;
  readonly #first;
  readonly #timer;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    this.#first = setTimeout(() => this.#change(false), options.firstMs);
    this.#timer = setInterval(() => {
      if (!this.#hasBegun) return;
      if (this.#unanswered >= options.beats) this.#change(false);
      this.#unanswered++;
      options.ping();
    }, options.beatMs);
  }

  /** The other side sent any message. */
  answered(): void {
    this.#hasBegun = true;
    clearTimeout(this.#first);
    this.#unanswered = 0;
    this.#change(true);
  }

  end(): void {
    clearTimeout(this.#first);
    clearInterval(this.#timer);
  }

  #change(isSo: boolean): void {
    if (isSo !== this.#isAnswering) this.#options.onChange((this.#isAnswering = isSo));
  }
}

/** Settings for a core: interval of pings, unanswered pings until it counts as silent, and time limit of its first message. */
export const CORE_HEARTBEAT = { beatMs: 5_000, beats: 3, firstMs: 20_000 } as const;
