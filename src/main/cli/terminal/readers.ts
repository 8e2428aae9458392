import { asStop, EXIT, Stop } from "../exit.ts";

/** What became of whoever reads what the program says. */
export interface Readers {
  /** Whether nobody reads this stream any more, as behind `| head`. */
  isGone(stream: NodeJS.WriteStream): boolean;
  /** Why a stream could not be written to, as on a full disk; null where it could, or where its reader has seen enough. */
  fault(): Stop | null;
}

/**
 * Keeps a stream that cannot be written to from ending the program in the middle of its work: files that it writes and
 * downloads go on to their end.
 */
export function watchReaders(streams: readonly NodeJS.WriteStream[]): Readers {
  const gone = new Set<NodeJS.WriteStream>();
  let fault: Stop | null = null;
  for (const stream of streams) {
    stream.on("error", (reason: NodeJS.ErrnoException) => {
      gone.add(stream);
      if (reason.code !== "EPIPE")
        fault ??= new Stop(EXIT.disk, `What the program says could not be written: ${asStop(reason).message}`, reason);
    });
  }
  return { isGone: (stream) => gone.has(stream), fault: () => fault };
}

export const readers = watchReaders([process.stdout, process.stderr]);
