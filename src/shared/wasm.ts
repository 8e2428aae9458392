/** The part of the WebAssembly API used here, which Node's types lack. */
interface Wasm {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
}

/** A WebAssembly memory; `grow` replaces `buffer`. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

const { WebAssembly: wasm } = globalThis as unknown as { readonly WebAssembly: Wasm };
const PAGE_BYTES = 65_536;

/**
 * Returns a function that instantiates a kernel (`*.as.ts`), which is compiled at the first call.
 *
 * @param name name of its source without `.ts`, under which AssemblyScript imports its functions
 */
export function kernelFactory<Exports>(
  name: string,
  bytes: () => Uint8Array,
): (imports: Readonly<Record<string, (...numbers: number[]) => number>>) => Exports {
  let module: object | null = null;
  return (imports) => {
    module ??= new wasm.Module(bytes());
    return new wasm.Instance(module, { [name]: imports }).exports as Exports;
  };
}

/** Grows a memory to at least `bytes`. Returns whether it grew, which invalidates views of it. */
export function growTo(memory: WasmMemory, bytes: number): boolean {
  const lacking = bytes - memory.buffer.byteLength;
  if (lacking > 0) memory.grow(Math.ceil(lacking / PAGE_BYTES));
  return lacking > 0;
}
