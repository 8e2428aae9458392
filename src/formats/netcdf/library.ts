import { keepOpeningsApart } from "./openings.ts";

type H5 = typeof import("h5wasm/node");

/** The HDF5 library. A damaged file that is read may stop it for good; then the next file gets another one. */
let current: Promise<H5> | null = null;
const stopped = new WeakSet<H5>();
let started = 0;

/** Loaded on first use, as compiling it takes a while. */
export async function hdf5Library(): Promise<H5> {
  const library = await (current ??= start());
  if (!stopped.has(library)) return library;
  current = null;
  return hdf5Library();
}

async function start(): Promise<H5> {
  const h5 = await load(started++);
  const module = await h5.ready;
  // Without it errors are only printed.
  module.activate_throwing_error_handler();
  keepOpeningsApart(h5);
  return h5;
}

/** A module is evaluated once for each address, and this one makes a library of its own whenever it is. */
async function load(n: number): Promise<H5> {
  if (n === 0) return import("h5wasm/node");
  return (await import(/* @vite-ignore */ `${import.meta.resolve("h5wasm/node")}?${n}`)) as H5;
}

/**
 * Whether what was thrown means that the library stopped for good (“abort”), as WebAssembly does where its own memory is
 * no longer sound. It is given up then; files that it has open cannot be read any more.
 */
export function isStopped(thrown: unknown, library: H5): boolean {
  const isEnd = thrown instanceof Error && thrown.name === "RuntimeError";
  if (isEnd) stopped.add(library);
  return isEnd;
}

/** Whether the library stopped, over whatever file: what it still says is not to be trusted. */
export function isGivenUp(library: H5): boolean {
  return stopped.has(library);
}
