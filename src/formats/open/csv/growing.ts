/** Numbers that become more, in one array that is made larger now and then. */
export class GrowingNumbers {
  #values = new Float64Array(64);
  #length = 0;

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Float64Array(2 * this.#length);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = value;
  }

  /** As an array of just that length. */
  done(): Float64Array<ArrayBuffer> {
    return this.#values.slice(0, this.#length);
  }
}
