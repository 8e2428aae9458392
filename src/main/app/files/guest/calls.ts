import { FormatFailure } from "#formats/error.ts";
import type { ForeignFile, Scratch } from "#formats/foreign/index.ts";
import type { ForeignSource } from "#formats/open/index.ts";
import { type GuestAnswer, type GuestCall, type GuestSource, MAX_CALL_BYTES } from "./protocol.ts";

// The thread that parses waits for the bytes of a file, as the libraries do that read it: the other thread of the guest
// passes its calls to the core, and writes the answers into shared memory.

/** Memory shared by both threads of a guest. */
export interface SharedMemory {
  readonly control: Int32Array<SharedArrayBuffer>;
  readonly data: Uint8Array<SharedArrayBuffer>;
}

const STATE = 0;
const LENGTH = 1;
const REQUEST = 2;
const BEATS = 3;
const WAITING = 0;
const BYTES = 1;
const VALUE = 2;
const ERROR = 3;
const NO_REQUEST = -1;

export function createSharedMemory(): SharedMemory {
  const control = new Int32Array(new SharedArrayBuffer(16));
  control[REQUEST] = NO_REQUEST;
  return { control, data: new Uint8Array(new SharedArrayBuffer(MAX_CALL_BYTES)) };
}

/** Called in the other thread: lets the call that waits return. */
export function answerCall({ control, data }: SharedMemory, { bytes, value, error }: GuestAnswer): void {
  const encoded = bytes ?? Buffer.from(JSON.stringify(error ?? value ?? null));
  data.set(encoded.subarray(0, data.length));
  control[LENGTH] = encoded.length;
  Atomics.store(control, STATE, error ? ERROR : bytes ? BYTES : VALUE);
  Atomics.notify(control, STATE);
}

/** Called in the thread that parses: sets the request that it works on; null for none. */
export function setCurrentRequest({ control }: SharedMemory, id: number | null): void {
  Atomics.store(control, REQUEST, id ?? NO_REQUEST);
}

export function currentRequest({ control }: SharedMemory): number | null {
  const id = Atomics.load(control, REQUEST);
  return id === NO_REQUEST ? null : id;
}

/** Called in the thread that parses, at every turn of its event loop. */
export function beat({ control }: SharedMemory): void {
  Atomics.add(control, BEATS, 1);
}

export function beats({ control }: SharedMemory): number {
  return Atomics.load(control, BEATS);
}

/** Calls the core and waits for the answer. */
type Call = (call: GuestCall) => unknown;

/** @param post sends a call to the other thread @throws by the result: FormatFailure, and errors of the disk with their code */
export function createCaller({ control, data }: SharedMemory, post: (call: GuestCall) => void): Call {
  return (call) => {
    Atomics.store(control, STATE, WAITING);
    post(call);
    Atomics.wait(control, STATE, WAITING);
    const answer = data.slice(0, control[LENGTH]);
    const state = Atomics.load(control, STATE);
    if (state === BYTES) return answer;
    const value: unknown = JSON.parse(Buffer.from(answer).toString());
    if (state === VALUE) return value;
    const { kind, message, code } = value as NonNullable<GuestAnswer["error"]>;
    throw kind ? new FormatFailure(kind, message, code) : Object.assign(new Error(message), { code });
  };
}

/** Returns the files of a source, whose bytes are read by calls. */
export function sourceBy(call: Call, source: GuestSource): ForeignSource {
  if (source.kind === "file") return { file: fileBy(call, source.handle, source.bytes), name: source.name };
  return {
    parts: source.names.map((name, index) => ({
      name,
      open() {
        const { handle, bytes } = call({ op: "part", folder: source.folder, index }) as {
          handle: number;
          bytes: number;
        };
        return fileBy(call, handle, bytes);
      },
    })),
  };
}

export function scratchBy(call: Call): Scratch {
  const { handle } = call({ op: "scratch" }) as { handle: number };
  let end = 0;
  const file = fileBy(call, handle, 0);
  return {
    ...file,
    get bytes() {
      return end;
    },
    read: (target, position) => readBy(call, handle, target, position),
    write(bytes, position) {
      for (let at = 0; at < bytes.length; at += MAX_CALL_BYTES)
        call({ op: "write", handle, position: position + at, bytes: bytes.slice(at, at + MAX_CALL_BYTES) });
      end = Math.max(end, position + bytes.length);
    },
  };
}

/** Small reads, such as those of the structure of a file, read a block that the next ones are likely to be in. */
const BLOCK_BYTES = 1 << 16;
const MAX_BLOCKS = 64;

function fileBy(call: Call, handle: number, bytes: number): ForeignFile {
  const blocks = new Map<number, Uint8Array>();
  const blockAt = (start: number): Uint8Array => {
    const known = blocks.get(start);
    blocks.delete(start);
    const block = known ?? new Uint8Array(Math.min(BLOCK_BYTES, bytes - start));
    if (!known) readBy(call, handle, block, start);
    blocks.set(start, block);
    const [oldest = start] = blocks.keys();
    if (blocks.size > MAX_BLOCKS) blocks.delete(oldest);
    return block;
  };
  return {
    bytes,
    read(target, position) {
      const length = Math.max(0, Math.min(target.length, bytes - position));
      if (length >= BLOCK_BYTES) return readBy(call, handle, target.subarray(0, length), position);
      for (let done = 0; done < length;) {
        const start = Math.floor((position + done) / BLOCK_BYTES) * BLOCK_BYTES;
        const part = blockAt(start).subarray(position + done - start, position + length - start);
        target.set(part, done);
        done += part.length;
      }
      return length;
    },
    close: () => void call({ op: "close", handle }),
  };
}

function readBy(call: Call, handle: number, target: Uint8Array, position: number): number {
  let done = 0;
  while (done < target.length) {
    const length = Math.min(MAX_CALL_BYTES, target.length - done);
    const bytes = call({ op: "read", handle, position: position + done, length }) as Uint8Array;
    target.set(bytes, done);
    done += bytes.length;
    if (bytes.length < length) break;
  }
  return done;
}
