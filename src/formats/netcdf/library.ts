import { closeSync, fstatSync, ftruncateSync, openSync } from "node:fs";
import type { File } from "h5wasm";
import { FormatFailure } from "../error.ts";
import { readUpTo, writeFully } from "../fileBytes.ts";
import type { ForeignFile } from "../foreign/file.ts";

// The HDF5 library is built for browsers: its file system is in its own memory and holds only the files that are open here.
// A file that names another one, as HDF5 allows, is refused at the attempt to open that.

type H5 = typeof import("h5wasm");

/** The bytes behind a file in the library's file system. */
interface Storage {
  readonly bytes: () => number;
  readonly read: (target: Uint8Array, position: number) => number;
  /** Only of a file to be changed. */
  readonly write?: (bytes: Uint8Array, position: number) => void;
  readonly truncate?: (bytes: number) => void;
}

interface Stream {
  readonly path: string;
  readonly node: Node;
}

interface Node {
  stream_ops: object;
  node_ops: object;
}

/** The used part of the library's file system (Emscripten), which its own types describe incompletely. */
interface FileSystem {
  readonly streams: readonly (Stream | null | undefined)[];
  readonly ErrnoError: new (code: number) => Error;
  open(path: string, ...rest: unknown[]): Stream;
  close(stream: Stream): void;
  unlink(path: string): void;
  createFile(folder: string, name: string, properties: object, canRead: boolean, canWrite: boolean): Node;
}

function fileSystemOf(h5: H5): FileSystem {
  return h5.Module.FS as unknown as FileSystem;
}

/** An open HDF5 file. */
export interface Hdf5File {
  readonly file: File;
  /** Calls the library. @throws FormatFailure if it tries to open another file, and its own errors */
  call<T>(work: () => T): T;
  /** Never throws, and releases everything, whatever failed before. */
  close(): void;
}

/** Opens a file for reading. @throws FormatFailure, and errors of the library */
export function openHdf5(h5: H5, source: ForeignFile): Hdf5File {
  return opened(h5, "r", { bytes: () => source.bytes, read: (target, position) => source.read(target, position) });
}

/** Lets `change` change a file that this program wrote. */
export async function changeHdf5(path: string, change: (file: File) => void): Promise<void> {
  const h5 = await hdf5Library();
  const descriptor = openSync(path, "r+");
  try {
    const { file, call, close } = opened(h5, "a", {
      bytes: () => fstatSync(descriptor).size,
      read: (target, position) => readUpTo(descriptor, target, position),
      write: (bytes, position) => writeFully(descriptor, bytes, position),
      truncate: (bytes) => ftruncateSync(descriptor, bytes),
    });
    try {
      call(() => {
        change(file);
        file.flush();
        // Not by `close`, which hides errors.
        file.close();
      });
    } finally {
      close();
    }
  } finally {
    closeSync(descriptor);
  }
}

function opened(h5: H5, mode: "r" | "a", storage: Storage): Hdf5File {
  const fs = fileSystemOf(h5);
  const { path, node } = mount(fs, storage);
  const call = <T>(work: () => T): T => guarded(h5, path, work);
  const release = (): void => {
    // After a failed operation, the library keeps its file open.
    for (const stream of fs.streams) if (stream?.node === node) fs.close(stream);
    fs.unlink(path);
  };
  try {
    const file = call(() => new h5.File(path, mode));
    let isOpen = true;
    return {
      file,
      call,
      close() {
        if (!isOpen) return;
        isOpen = false;
        try {
          call(() => file.close());
        } catch {
          // Ignored, so as not to hide an earlier failure.
        }
        release();
      },
    };
  } catch (thrown) {
    release();
    throw thrown;
  }
}

let mounted = 0;

/** Adds a file to the library's file system, under a name that no other file has had. */
function mount(fs: FileSystem, { bytes, read, write, truncate }: Storage): { path: string; node: Node } {
  const name = `open-${++mounted}`;
  const node = fs.createFile("/", name, {}, true, write !== undefined);
  Object.defineProperty(node, "usedBytes", { get: bytes });
  node.stream_ops = {
    ...node.stream_ops,
    // oxlint-disable-next-line max-params -- the library calls it
    read(_: Stream, target: Uint8Array, offset: number, length: number, position: number) {
      const part = target.subarray(offset, offset + Math.max(0, Math.min(length, bytes() - position)));
      const count = read(part, position);
      if (isEndlessHeap(part.subarray(0, count))) throw new fs.ErrnoError(READ_FAILURE);
      return count;
    },
    // oxlint-disable-next-line max-params -- the library calls it
    write(_: Stream, source: Uint8Array, offset: number, length: number, position: number) {
      write?.(source.subarray(offset, offset + length), position);
      return length;
    },
  };
  node.node_ops = {
    ...node.node_ops,
    setattr: (_: Node, { size }: { size?: number }) => size === undefined || truncate?.(size),
  };
  return { path: `/${name}`, node };
}

/** `GCOL` */
const HEAP_MARK = 0x47_43_4f_4c;
const HEAP_HEAD_BYTES = 16;

/**
 * Whether bytes are a global heap (HDF5 file format 3.0, III.E) in which an object takes no space, as where zeros were written
 * over it: the library would look for the next one for ever.
 */
function isEndlessHeap(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length < HEAP_HEAD_BYTES || view.getUint32(0) !== HEAP_MARK) return false;
  const end = Math.min(bytes.length, Number(view.getBigUint64(8, true)));
  for (let at = HEAP_HEAD_BYTES; at + HEAP_HEAD_BYTES <= end;) {
    const size = Number(view.getBigUint64(at + 8, true));
    const isFree = view.getUint16(at, true) === 0;
    if (isFree && size === 0) return true;
    at += isFree ? size : HEAP_HEAD_BYTES + 8 * Math.ceil(size / 8);
  }
  return false;
}

/** The path of the file that the library may open now. */
let allowed: string | null = null;
/** The path of another file that the library tried to open. */
let refused: string | null = null;
/** The library writes its error messages to a file of the C library first. */
const OWN_FILE = /^\/tmp\/tmpfile_/;
const [NO_ENTRY, READ_FAILURE] = [44, 29];

/** Lets the library open no file but the allowed one. */
function guardFiles(h5: H5): void {
  const fs = fileSystemOf(h5);
  const { open } = fs;
  fs.open = (path, ...rest) => {
    if (path === allowed || OWN_FILE.test(path)) return open.call(fs, path, ...rest);
    refused = path;
    throw new fs.ErrnoError(NO_ENTRY);
  };
  // It would look for filters there, which is not a reference of a file.
  for (const _ of h5.Module.get_plugin_search_paths()) h5.Module.remove_plugin_search_path(0);
}

function guarded<T>(h5: H5, path: string, work: () => T): T {
  const fs = fileSystemOf(h5);
  const before = new Set(fs.streams);
  [allowed, refused] = [path, null];
  let result: { readonly value: T } | { readonly thrown: unknown };
  try {
    result = { value: work() };
  } catch (thrown) {
    result = { thrown };
    // WebAssembly stops when its memory is corrupt.
    if (thrown instanceof Error && thrown.name === "RuntimeError") aborted.add(h5);
  }
  allowed = null;
  // Of failed operations: the file, and the one with the error messages.
  for (const stream of fs.streams)
    if (stream && !before.has(stream) && !("value" in result && stream.path === path)) fs.close(stream);
  // Also without an error: the library ignores that some other files are absent.
  if (refused !== null) throw refersTo(refused);
  if ("thrown" in result) throw result.thrown;
  return result.value;
}

/** The refusal of a file that refers to another one. */
export function refersTo(other: string, what = "This file"): FormatFailure {
  return new FormatFailure(
    "unreadable",
    `${what} refers to another file, “${other}”, which is not read. Ask for a file that holds its data itself, or make one with “nccopy”.`,
  );
}

/** The current instance of the HDF5 library. A damaged file may abort it; the next file then gets a new instance. */
let current: Promise<H5> | null = null;
const aborted = new WeakSet<H5>();
let started = 0;

/** Returns an instance of the HDF5 library, compiled at the first call. */
export async function hdf5Library(): Promise<H5> {
  const library = await (current ??= loadLibrary());
  if (!aborted.has(library)) return library;
  current = null;
  return hdf5Library();
}

async function loadLibrary(): Promise<H5> {
  const h5 = await load(started++);
  const module = await h5.ready;
  // By default, errors are only printed.
  module.activate_throwing_error_handler();
  guardFiles(h5);
  return h5;
}

/** Imports a new instance: a module is evaluated once for each distinct URL. */
async function load(n: number): Promise<H5> {
  if (n === 0) return import("h5wasm");
  return (await import(/* @vite-ignore */ `${import.meta.resolve("h5wasm")}?${n}`)) as H5;
}

/** Whether a file aborted the library: files that it has open cannot be read any more. */
export function isAborted(library: H5): boolean {
  return aborted.has(library);
}
