import { parseUtc } from "#shared/time/utc.ts";
import { growTo, kernelMaker, type WasmMemory } from "#shared/wasm.ts";
import { readJsonNumber } from "../values.ts";
import { BINARY } from "./binary.ts";
import { STATE_BYTES } from "./layout.ts";

/**
 * One instance of the scanner's inner loop (scan.as.ts) and its memory. An address is an index into `bytes`. The memory
 * may be replaced by a larger one whenever something is allocated: `bytes`, `words` and `doubles` are to be read anew from
 * here each time.
 */
export interface Kernel {
  readonly bytes: Buffer;
  /** The same memory; the index is an address divided by 4. */
  readonly words: Int32Array;
  /** The same memory; the index is an address divided by 8. */
  readonly doubles: Float64Array;
  /** Where the structure STATE lies. */
  readonly state: number;
  /** Memory that belongs to the caller until the kernel is given back; aligned to 8 bytes, and not cleared. */
  allocate(bytes: number): number;
  /** Reads rows until something is to be done for it: NO_GUESS, NO_MORE or HAND_ON. */
  run(): number;
  /** The readers by themselves: where the number or moment at an address ends, 0 where there is none, and its value. */
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

const makeInstance = kernelMaker<Exports>("scan.as", () => Buffer.from(BINARY, "base64"));
/** What waits for the next body: so many kernels at most, and none that had to become large. */
const MOST_IDLE = 4;
const MOST_IDLE_BYTES = 4 * 1_024 * 1_024;

const idle: OwnKernel[] = [];

/** A kernel for one body. */
export function takeKernel(): Kernel {
  return idle.pop() ?? new OwnKernel();
}

/** Nothing of the kernel's memory is needed any more. */
export function giveBack(kernel: Kernel): void {
  if (!(kernel instanceof OwnKernel) || idle.length >= MOST_IDLE || kernel.bytes.length > MOST_IDLE_BYTES) return;
  kernel.clear();
  idle.push(kernel);
}

class OwnKernel implements Kernel {
  readonly state: number;
  readonly run: () => number;
  readonly readNumber: (at: number) => number;
  readonly readMoment: (at: number) => number;
  readonly value: () => number;
  bytes!: Buffer;
  words!: Int32Array;
  doubles!: Float64Array;
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
    this.#tell = exported.tell;
    this.run = exported.run;
    this.readNumber = exported.readNumber;
    this.readMoment = exported.readMoment;
    this.value = exported.value;
    exported.start();
    this.#look();
    this.clear();
  }

  readonly #tell: (at: number) => void;

  allocate(bytes: number): number {
    const address = this.#free;
    this.#free = (address + bytes + 7) & ~7;
    if (growTo(this.#memory, this.#free)) this.#look();
    return address;
  }

  clear(): void {
    this.#free = (this.#heap + 7) & ~7;
    this.bytes.fill(0, this.state, this.state + STATE_BYTES);
  }

  #look(): void {
    const { buffer } = this.#memory;
    this.bytes = Buffer.from(buffer);
    this.words = new Int32Array(buffer);
    this.doubles = new Float64Array(buffer);
  }

  #numberAt(at: number): number {
    const { value, end } = readJsonNumber(this.bytes, at);
    this.#tell(end);
    return value;
  }

  #dayAt(at: number): number {
    return parseUtc(this.bytes.toString("latin1", at, at + 10)) ?? Number.NaN;
  }
}
