import { open } from "node:fs/promises";
import type { Writable } from "node:stream";
import { codeOf } from "#shared/fault.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { exportError, type FormatError } from "./error.ts";
import { openStream, resolveTarget } from "./target.ts";
import type { TargetOptions } from "./fileGroup.ts";
import { Pace, type WriteOptions, type WrittenFile } from "./source.ts";
import { createTemporary, discard, promote } from "./temporary.ts";

/** Written bytes between two syncs, which run in the background to shorten the wait for the final one. */
const SYNC_BYTES = 1 << 24;
const DONE = Promise.resolve();

/** A file or a stream. */
interface Destination {
  write(bytes: Uint8Array): Promise<void>;
  /** Flushes written bytes to the disk; null for streams. */
  readonly sync: (() => Promise<void>) | null;
  finish(): Promise<void>;
  abandon(): Promise<void>;
}

/** Appends bytes to a file or stream in order, with at most one pending write. */
export class ByteSink {
  readonly #destination: Destination;
  #bytes = 0;
  #writing: Promise<void> = DONE;
  #syncing: Promise<void> | null = null;
  #unsynced = 0;

  constructor(destination: Destination) {
    this.#destination = destination;
  }

  /** Number of bytes passed to `write` so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Waits for the previous write and starts to append bytes, which must not be changed until the next call resolves. The
   * next call throws if this write fails.
   */
  async write(bytes: Uint8Array): Promise<void> {
    await this.#writing;
    this.#syncInBackground();
    this.#unsynced += bytes.length;
    this.#bytes += bytes.length;
    this.#writing = this.#destination.write(bytes);
    // The next call awaits it; until then the rejection counts as handled.
    this.#writing.catch(() => undefined);
  }

  /** Waits for the pending write. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  async finish(): Promise<void> {
    await this.#writing;
    await this.#syncing;
    await this.#destination.finish();
  }

  /** Does not wait for the pending write: the reader of a stream may have stopped. */
  async abandon(): Promise<void> {
    await this.#destination.abandon();
  }

  #syncInBackground(): void {
    if (this.#unsynced < SYNC_BYTES || this.#syncing || this.#destination.sync === null) return;
    this.#unsynced = 0;
    // Errors are ignored, because the final sync reports them.
    this.#syncing = this.#destination
      .sync()
      .catch(() => undefined)
      .finally(() => (this.#syncing = null));
  }
}

/** The reader closed the stream. */
class ReaderGone extends Error {}

/**
 * Writes a file through a sink. The file gets its name only when it is complete and on the disk; after a failure or a
 * cancellation no file is left. A stream receives the bytes at once; it is not a failure if its reader closes it early.
 *
 * @param write counts its rows in the pace
 * @param options `signal` also stops waiting for the reader of a named pipe
 */
export async function writeThroughSink(
  path: string,
  write: (sink: ByteSink, pace: Pace) => Promise<void>,
  options: WriteOptions,
): Promise<Result<WrittenFile, FormatError>> {
  const pace = new Pace(options);
  let sink: ByteSink | null = null;
  try {
    sink = new ByteSink(await destinationOf(path, options));
    await write(sink, pace);
    await sink.finish();
  } catch (thrown) {
    await sink?.abandon().catch(() => undefined);
    if (!(thrown instanceof ReaderGone)) return failure(exportError(thrown, path, options.signal));
  }
  options.onProgress?.(pace.rows);
  return success({ path, bytes: sink?.bytes ?? 0, rows: pace.rows });
}

async function destinationOf(path: string, { signal, group }: TargetOptions): Promise<Destination> {
  const target = await resolveTarget(path);
  if (target.kind === "stream") {
    const { stream, isOwn } = await openStream(target, signal);
    return streamDestination(stream, isOwn, signal);
  }
  const file = await createTemporary(path);
  const handle = await open(file.path, "r+");
  return {
    // Unlike `write`, it writes all bytes, from where the last call ended.
    write: (bytes) => handle.writeFile(bytes),
    sync: () => handle.datasync(),
    async finish() {
      await handle.close();
      await promote(file, { group });
    },
    async abandon() {
      await handle.close().catch(() => undefined);
      await discard(file);
    },
  };
}

/** @param signal stops waiting for the reader */
function streamDestination(stream: Writable, isOwn: boolean, signal?: AbortSignal): Destination {
  // Errors are passed to the callback of `write`; without a listener they would end the program.
  stream.on("error", () => undefined);
  const close = (): Promise<void> =>
    new Promise((done) => {
      if (isOwn) done();
      else stream.end(() => done());
    });
  return {
    write: (bytes) =>
      new Promise((done, fail) => {
        const stop = (): void => fail(new Error("The reader takes no more bytes."));
        if (signal?.aborted) return stop();
        signal?.addEventListener("abort", stop, { once: true });
        stream.write(bytes, (thrown) => {
          signal?.removeEventListener("abort", stop);
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
