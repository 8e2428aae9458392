import { fstatSync, writeFileSync } from "node:fs";
import { setImmediate as otherTurns } from "node:timers/promises";
import { diskSentence } from "#formats/error.ts";
import { lowerFirst } from "#shared/text.ts";
import { messageOf } from "#shared/thrown.ts";
import { EXIT, Stop } from "../exit.ts";

/** Errors of the output streams. */
export interface StreamErrors {
  /** Whether the stream's reader closed it, such as `| head`. */
  isClosed(stream: NodeJS.WriteStream): boolean;
  /** Why writing failed, for example on a full disk; null without an error, or if the reader closed the pipe. */
  fault(): Stop | null;
  /** Resolves when everything was written, or writing failed: only then is `fault` complete. */
  settled(): Promise<void>;
}

type OutputStream = NodeJS.WriteStream & { readonly fd: number };

/**
 * Handles stream errors so that they do not end the program: file exports and downloads continue.
 */
export function watchStreamErrors(streams: readonly OutputStream[]): StreamErrors {
  const closed = new Set<NodeJS.WriteStream>();
  let fault: Stop | null = null;
  for (const stream of streams) {
    writeCompletely(stream);
    stream.on("error", (reason: NodeJS.ErrnoException) => {
      closed.add(stream);
      if (reason.code !== "EPIPE") fault ??= new Stop(EXIT.disk, sentence(stream, reason), reason);
    });
  }
  return {
    isClosed: (stream) => closed.has(stream),
    fault: () => fault,
    async settled() {
      await Promise.all(streams.filter((stream) => stream.writableLength > 0).map(flushed));
      // A stream reports the error of a write a few ticks later.
      await otherTurns();
    },
  };
}

export const streamErrors = watchStreamErrors([process.stdout, process.stderr]);

function sentence(stream: NodeJS.WriteStream, reason: Error): string {
  const name = stream === process.stderr ? "standard error" : "standard output";
  const known = diskSentence(reason);
  const why = known === null ? messageOf(reason) : lowerFirst(known);
  return `The output could not be written: ${why} (${name}). It is incomplete.`;
}

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.once("error", () => resolve());
    stream.write("", () => resolve());
  });
}

/**
 * If a disk fills up in the middle of a write, the system writes the first part and reports no error. The stream of
 * Node.js for a file then drops the rest; another write of the rest reports the error.
 */
function writeCompletely(stream: OutputStream): void {
  if (!isFile(stream)) return;
  stream._write = (chunk: Buffer, _encoding, done) => {
    try {
      writeFileSync(stream.fd, chunk);
    } catch (thrown) {
      return done(thrown as Error);
    }
    done();
  };
}

function isFile({ fd }: OutputStream): boolean {
  try {
    return fstatSync(fd).isFile();
  } catch {
    return false;
  }
}
