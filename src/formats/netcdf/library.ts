import { isolateOpenFiles } from "./openings.ts";

type H5 = typeof import("h5wasm/node");

/** The current instance of the HDF5 library. A damaged file may abort it; the next file then gets a new instance. */
let current: Promise<H5> | null = null;
const aborted = new WeakSet<H5>();
let started = 0;

/** Returns an instance of the HDF5 library, compiled at the first call. */
export async function hdf5Library(): Promise<H5> {
  const library = await (current ??= start());
  if (!aborted.has(library)) return library;
  current = null;
  return hdf5Library();
}

async function start(): Promise<H5> {
  const h5 = await load(started++);
  const module = await h5.ready;
  // By default, errors are only printed.
  module.activate_throwing_error_handler();
  isolateOpenFiles(h5);
  return h5;
}

/** Imports a new instance: a module is evaluated once for each distinct URL. */
async function load(n: number): Promise<H5> {
  if (n === 0) return import("h5wasm/node");
  return (await import(/* @vite-ignore */ `${import.meta.resolve("h5wasm/node")}?${n}`)) as H5;
}

/**
 * Returns whether an error aborted the library, as WebAssembly does when its memory is corrupt. The instance is then no
 * longer used, and files that it has open cannot be read any more.
 */
export function markAborted(thrown: unknown, library: H5): boolean {
  const isAbort = thrown instanceof Error && thrown.name === "RuntimeError";
  if (isAbort) aborted.add(library);
  return isAbort;
}

/** Whether the library was aborted by any file, so that its results cannot be trusted. */
export function isAborted(library: H5): boolean {
  return aborted.has(library);
}
