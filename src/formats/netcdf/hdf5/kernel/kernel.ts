import { BINARY } from "./binary.ts";

/** A chunk as it lies in a file; its bytes are good until the next one is packed. */
export interface PackedChunk {
  /** A stream of zlib. */
  readonly bytes: Uint8Array;
  /** Whether HDF5's filter shuffle was applied before. */
  readonly isShuffled: boolean;
}

/** What of WebAssembly is needed here; Node's types do not know it. */
interface Wasm {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: Exports };
}

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  start(): void;
  chunkOf(elements: number): number;
  pack(): number;
  stream(): number;
  wasShuffled(): number;
}

const { WebAssembly: wasm } = globalThis as unknown as { readonly WebAssembly: Wasm };

let made: Exports | null = null;

/** One for all files, since a chunk is packed at once: the memory of each would be gigabytes of addresses. */
function kernel(): Exports {
  if (made) return made;
  const { exports } = new wasm.Instance(new wasm.Module(Buffer.from(BINARY, "base64")), {});
  exports.start();
  return (made = exports);
}

/**
 * Shuffles and deflates the values of a chunk (pack.as.ts), NaN as the fill value.
 *
 * @param elements so many has the chunk: zeros stand behind the values
 */
export function packChunk(values: Float64Array, elements: number): PackedChunk {
  const { memory, chunkOf, pack, stream, wasShuffled } = kernel();
  const at = chunkOf(elements);
  const room = new Float64Array(memory.buffer, at, elements);
  room.set(values);
  room.fill(0, values.length);
  const length = pack();
  return { bytes: new Uint8Array(memory.buffer, stream(), length), isShuffled: wasShuffled() !== 0 };
}
