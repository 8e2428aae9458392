import type { Spool, Spooled } from "./spool.ts";

/** Numbers that become more: the last of them in memory, all before in a spool. */
export class GrowingNumbers {
  readonly #spool: Spool;
  readonly #parts: Spooled[] = [];
  #values = new Float64Array(16);
  #length = 0;

  constructor(spool: Spool) {
    this.#spool = spool;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Float64Array(2 * this.#length);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = value;
  }

  /** Gives the memory back. */
  spool(): void {
    if (this.#length === 0) return;
    this.#parts.push(this.#spool.keep(this.#values.subarray(0, this.#length)));
    this.#values = new Float64Array(16);
    this.#length = 0;
  }

  /** All of them, as an array of just that length. */
  done(): Float64Array<ArrayBuffer> {
    if (this.#parts.length === 0) return this.#values.slice(0, this.#length);
    this.spool();
    return this.#spool.read(this.#parts);
  }
}
