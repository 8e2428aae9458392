import { Transform, type TransformCallback } from "node:stream";
import { FormatFailure } from "../../error.ts";

const HEADER_BYTES = 3;
const FIRST_BITS = 9;
const MAX_BITS = 16;
/** In block mode: resets the table. */
const CLEAR = 256;
const DAMAGED = "This compressed file is damaged. Download or copy it again.";

/**
 * Unpacks files of Unix “compress” (`.Z`): LZW with codes of 9 to 16 bits, least significant bit first, in groups of eight
 * codes of equal width, as implemented by ncompress and gzip. The format has neither checksum nor length.
 */
export class Uncompress extends Transform {
  readonly #prefix = new Uint16Array(1 << MAX_BITS);
  readonly #suffix = new Uint8Array(1 << MAX_BITS);
  readonly #stack = new Uint8Array(1 << MAX_BITS);
  /** Number of header bytes read. */
  #seen = 0;
  #maxBits = MAX_BITS;
  #first = CLEAR + 1;
  #bits = 0;
  #bitCount = 0;
  #width = FIRST_BITS;
  /** Number of codes of the current width: the last group is padded when the width changes. */
  #codes = 0;
  #skipBits = 0;
  /** Next free index of the table. */
  #free = CLEAR + 1;
  #previous = -1;
  #lastByte = 0;

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    try {
      this.push(this.#unpacked(chunk));
      done();
    } catch (thrown) {
      done(thrown as FormatFailure);
    }
  }

  #unpacked(chunk: Buffer): Buffer {
    const out = new Growing(4 * chunk.length);
    for (const byte of chunk) {
      if (this.#seen < HEADER_BYTES) {
        this.#header(byte);
        continue;
      }
      if (this.#skipBits > 0) {
        this.#skipBits -= 8;
        continue;
      }
      this.#bits |= byte << this.#bitCount;
      this.#bitCount += 8;
      if (this.#bitCount < this.#width) continue;
      const code = this.#bits & ((1 << this.#width) - 1);
      this.#bits >>>= this.#width;
      this.#bitCount -= this.#width;
      this.#codes++;
      this.#code(code, out);
    }
    return out.bytes();
  }

  #header(byte: number): void {
    this.#seen++;
    if (this.#seen < HEADER_BYTES) return;
    this.#maxBits = byte & 0x1f;
    const isBlockMode = (byte & 0x80) !== 0;
    // With a limit of nine bits, the usual program writes files that it cannot read itself.
    if (this.#maxBits <= FIRST_BITS || this.#maxBits > MAX_BITS) throw new FormatFailure("unreadable", DAMAGED);
    this.#first = this.#free = isBlockMode ? CLEAR + 1 : CLEAR;
  }

  #code(code: number, out: Growing): void {
    if (code === CLEAR && this.#first > CLEAR) {
      this.#free = this.#first;
      this.#previous = -1;
      this.#changeWidth(FIRST_BITS);
      return;
    }
    // Valid codes are in the table or the next free one; after a reset, only single bytes.
    if (code > this.#free || (this.#previous < 0 && code > 255)) throw new FormatFailure("unreadable", DAMAGED);
    let depth = 0;
    let at = code;
    if (code === this.#free) {
      this.#stack[depth++] = this.#lastByte;
      at = this.#previous;
    }
    for (; at > 255; at = this.#prefix[at]!) this.#stack[depth++] = this.#suffix[at]!;
    this.#stack[depth++] = this.#lastByte = at;
    out.addReversed(this.#stack, depth);
    if (this.#previous >= 0 && this.#free < 1 << this.#maxBits) {
      this.#prefix[this.#free] = this.#previous;
      this.#suffix[this.#free++] = this.#lastByte;
    }
    this.#previous = code;
    if (this.#free >= 1 << this.#width && this.#width < this.#maxBits) this.#changeWidth(this.#width + 1);
  }

  #changeWidth(width: number): void {
    const codesLeft = (8 - (this.#codes % 8)) % 8;
    // Skips the rest of the group: the buffered bits, and whole bytes.
    this.#skipBits = codesLeft * this.#width - this.#bitCount;
    this.#bits = this.#bitCount = this.#codes = 0;
    this.#width = width;
  }
}

class Growing {
  #buffer: Buffer;
  #length = 0;

  constructor(bytes: number) {
    this.#buffer = Buffer.allocUnsafe(Math.max(bytes, 1_024));
  }

  addReversed(stack: Uint8Array, depth: number): void {
    if (this.#length + depth > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(2 * (this.#length + depth));
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    for (let i = depth - 1; i >= 0; i--) this.#buffer[this.#length++] = stack[i]!;
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }
}
