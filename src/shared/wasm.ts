/** What of WebAssembly is needed here; Node's types do not know it. */
interface Wasm {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
}

/** A memory of WebAssembly; `buffer` is another one after it grew. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

const { WebAssembly: wasm } = globalThis as unknown as { readonly WebAssembly: Wasm };
const PAGE_BYTES = 65_536;

/**
 * Makes instances of a kernel (`*.as.ts`), which is compiled when the first one is wanted.
 *
 * @param name of its source, without `.ts`: that of the module by which AssemblyScript names its imports
 */
export function kernelMaker<Exports>(
  name: string,
  bytes: () => Uint8Array,
): (imports: Readonly<Record<string, (...numbers: number[]) => number>>) => Exports {
  let module: object | null = null;
  return (imports) => {
    module ??= new wasm.Module(bytes());
    return new wasm.Instance(module, { [name]: imports }).exports as Exports;
  };
}

/** Grows a memory to at least so many bytes, and tells whether it had to: views of it are to be made anew then. */
export function growTo(memory: WasmMemory, bytes: number): boolean {
  const lacking = bytes - memory.buffer.byteLength;
  if (lacking > 0) memory.grow(Math.ceil(lacking / PAGE_BYTES));
  return lacking > 0;
}
