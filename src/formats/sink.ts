import { type FileHandle, open } from "node:fs/promises";
import type { Writable } from "node:stream";
import { codeOf } from "#shared/thrown.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { asFormatError, type FormatError, FormatFailure } from "./error.ts";
import { openStream, resolveTarget } from "./target.ts";
import { createTemporary, discard, promote } from "./temporary.ts";

/** So often bytes are brought to the disk while more of them are made: all at once at the end would have to be waited for. */
const SYNC_BYTES = 1 << 24;
const DONE = Promise.resolve();

/** What takes bytes one after the other. */
interface Place {
  write(bytes: Uint8Array): Promise<void>;
  /** Brings what was written to safety; null where nothing could be done. */
  readonly sync: (() => Promise<void>) | null;
  finish(signal?: AbortSignal): Promise<void>;
  abandon(): Promise<void>;
}

/** Bytes on their way into a file, or straight into a stream: in order, and never more than one write ahead. */
export class ByteSink {
  readonly #place: Place;
  #bytes = 0;
  #writing: Promise<void> = DONE;
  #syncing: Promise<void> | null = null;
  #unsynced = 0;

  constructor(place: Place) {
    this.#place = place;
  }

  /** Bytes that were handed over so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Begins to append bytes, once those before them are written; they must be left alone until the next call is through.
   * A write that fails is told by the next call.
   */
  async hand(bytes: Uint8Array): Promise<void> {
    await this.#writing;
    this.#syncNowAndThen();
    this.#unsynced += bytes.length;
    this.#bytes += bytes.length;
    this.#writing = this.#place.write(bytes);
    // Whoever waits for it is told; until then nobody waits.
    this.#writing.catch(() => undefined);
  }

  /** Waits until everything that was handed over is written. */
  async settle(): Promise<void> {
    await this.#writing;
  }

  async finish(signal?: AbortSignal): Promise<void> {
    await this.#writing;
    await this.#syncing;
    await this.#place.finish(signal);
  }

  async abandon(): Promise<void> {
    await this.#writing.catch(() => undefined);
    await this.#syncing;
    await this.#place.abandon();
  }

  #syncNowAndThen(): void {
    if (this.#unsynced < SYNC_BYTES || this.#syncing || this.#place.sync === null) return;
    this.#unsynced = 0;
    // What fails here fails again, and is told, when the whole file is brought to the disk.
    this.#syncing = this.#place
      .sync()
      .catch(() => undefined)
      .finally(() => (this.#syncing = null));
  }
}

/** Whoever read the stream has seen enough. */
class ReaderGone extends Error {}

/**
 * Lets `write` give the bytes of a file in order. A file appears under its name only when it is complete and on the disk;
 * after a failure or a cancellation nothing is left. A stream gets the bytes while they are made.
 *
 * @param whenGone the value where the reader of a stream went before its end, which is no failure
 * @param signal stops the wait for somebody who reads a named pipe
 */
export async function writeThroughSink<T>(
  path: string,
  write: (sink: ByteSink) => Promise<T>,
  whenGone: () => T,
  signal?: AbortSignal,
): Promise<Result<{ readonly value: T; readonly bytes: number }, FormatError>> {
  let sink: ByteSink | null = null;
  try {
    sink = new ByteSink(await placeOf(path, signal));
    const value = await write(sink);
    await sink.finish(signal);
    return success({ value, bytes: sink.bytes });
  } catch (thrown) {
    await sink?.abandon().catch(() => undefined);
    if (thrown instanceof ReaderGone) return success({ value: whenGone(), bytes: sink?.bytes ?? 0 });
    return failure(
      asFormatError(signal?.aborted ? new FormatFailure("cancelled", "The export was stopped.", thrown) : thrown, path),
    );
  }
}

async function placeOf(path: string, signal?: AbortSignal): Promise<Place> {
  const target = await resolveTarget(path);
  if (target.kind === "stream") {
    const { stream, isOwn } = await openStream(target, signal);
    return streamPlace(stream, isOwn);
  }
  const file = await createTemporary(path);
  const handle = await open(file.path, "r+");
  return {
    write: (bytes) => writeAll(handle, bytes),
    sync: () => handle.datasync(),
    async finish() {
      await handle.close();
      await promote(file);
    },
    async abandon() {
      await handle.close().catch(() => undefined);
      await discard(file);
    },
  };
}

function streamPlace(stream: Writable, isOwn: boolean): Place {
  // What fails is told to whoever wrote; without a listener it would end the program.
  stream.on("error", () => undefined);
  const close = (): Promise<void> =>
    new Promise((done) => {
      if (isOwn) done();
      else stream.end(() => done());
    });
  return {
    write: (bytes) =>
      new Promise((done, fail) => {
        stream.write(bytes, (thrown) => {
          if (!thrown) done();
          else fail(codeOf(thrown) === "EPIPE" ? new ReaderGone() : thrown);
        });
      }),
    sync: null,
    finish: close,
    async abandon() {
      if (!isOwn) stream.destroy();
    },
  };
}

/** A single write may take less than all of it, as when the disk is nearly full. */
async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    done += (await handle.write(bytes, done, bytes.length - done)).bytesWritten;
  }
}
