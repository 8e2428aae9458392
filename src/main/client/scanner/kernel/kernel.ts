import { parseUtc } from "#shared/time/utc.ts";
import { growTo, kernelFactory, type WasmMemory } from "#shared/wasm.ts";
import { readJsonNumber } from "../values.ts";
import { BINARY } from "./binary.ts";
import { STATE_BYTES } from "./layout.ts";

/**
 * An instance of the scanner's inner loop (scan.as.ts) and its memory. An address is an index into `bytes`. The memory
 * may be replaced by a larger one with every allocation: read `bytes` and `doubles` from here again after each.
 */
export interface Kernel {
  readonly bytes: Buffer;
  /** The same memory; the index is an address divided by 8. */
  readonly doubles: Float64Array;
  /** Address of the structure STATE. */
  readonly state: number;
  /** Reads or writes the 32-bit integer at an address. */
  word(address: number): number;
  setWord(address: number, value: number): void;
  /** Allocates memory until the kernel is released; aligned to 8 bytes, not cleared. */
  allocate(bytes: number): number;
  /** Reads rows until JavaScript has to act, and returns why: NO_GUESS, NO_MORE or HAND_ON. */
  run(): number;
  /** Read the number or moment at an address: return the address after it, or 0; `value` is its value. */
  readNumber(at: number): number;
  readMoment(at: number): number;
  value(): number;
}

interface Exports {
  readonly memory: WasmMemory;
  state(): number;
  heap(): number;
  start(): void;
  tell(at: number): void;
  run(): number;
  readNumber(at: number): number;
  readMoment(at: number): number;
  value(): number;
}

const makeInstance = kernelFactory<Exports>("scan.as", () => Buffer.from(BINARY, "base64"));
/** Maximum number of kernels kept for the next bodies, and maximum size of each. */
const MAX_IDLE_KERNELS = 4;
const MAX_IDLE_BYTES = 4 * 1_024 * 1_024;

const idle: WasmKernel[] = [];

/** Returns a kernel for one body; to be released afterwards. */
export function acquireKernel(): Kernel {
  return idle.pop() ?? new WasmKernel();
}

/** Releases a kernel whose memory is no longer needed. */
export function releaseKernel(kernel: Kernel): void {
  if (!(kernel instanceof WasmKernel) || idle.length >= MAX_IDLE_KERNELS || kernel.bytes.length > MAX_IDLE_BYTES)
    return;
  kernel.clear();
  idle.push(kernel);
}

class WasmKernel implements Kernel {
  readonly state: number;
  readonly run: () => number;
  readonly readNumber: (at: number) => number;
  readonly readMoment: (at: number) => number;
  readonly value: () => number;
  bytes = Buffer.alloc(0);
  doubles = new Float64Array(0);
  #words = new Int32Array(0);
  readonly #memory: WasmMemory;
  readonly #heap: number;
  #free = 0;

  constructor() {
    const exported = makeInstance({
      numberAt: (at: number) => this.#numberAt(at),
      dayAt: (at: number) => this.#dayAt(at),
    });
    this.#memory = exported.memory;
    this.state = exported.state();
    this.#heap = exported.heap();
    this.#setNumberEnd = exported.tell;
    this.run = exported.run;
    this.readNumber = exported.readNumber;
    this.readMoment = exported.readMoment;
    this.value = exported.value;
    exported.start();
    this.#refreshViews();
    this.clear();
  }

  readonly #setNumberEnd: (at: number) => void;

  word(address: number): number {
    return this.#words[address >> 2]!;
  }

  setWord(address: number, value: number): void {
    this.#words[address >> 2] = value;
  }

  allocate(bytes: number): number {
    const address = this.#free;
    this.#free = (address + bytes + 7) & ~7;
    if (growTo(this.#memory, this.#free)) this.#refreshViews();
    return address;
  }

  clear(): void {
    this.#free = (this.#heap + 7) & ~7;
    this.bytes.fill(0, this.state, this.state + STATE_BYTES);
  }

  #refreshViews(): void {
    const { buffer } = this.#memory;
    this.bytes = Buffer.from(buffer);
    this.doubles = new Float64Array(buffer);
    this.#words = new Int32Array(buffer);
  }

  #numberAt(at: number): number {
    const { value, end } = readJsonNumber(this.bytes, at);
    this.#setNumberEnd(end);
    return value;
  }

  #dayAt(at: number): number {
    return parseUtc(this.bytes.toString("latin1", at, at + 10)) ?? Number.NaN;
  }
}
