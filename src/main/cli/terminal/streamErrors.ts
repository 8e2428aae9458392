import { asStop, EXIT, Stop } from "../exit.ts";

/** Errors of the output streams. */
export interface StreamErrors {
  /** Whether the stream's reader closed it, such as `| head`. */
  isClosed(stream: NodeJS.WriteStream): boolean;
  /** Why writing failed, for example on a full disk; null without an error, or if the reader closed the pipe. */
  fault(): Stop | null;
}

/**
 * Handles stream errors so that they do not end the program: file exports and downloads continue.
 */
export function watchStreamErrors(streams: readonly NodeJS.WriteStream[]): StreamErrors {
  const closed = new Set<NodeJS.WriteStream>();
  let fault: Stop | null = null;
  for (const stream of streams) {
    stream.on("error", (reason: NodeJS.ErrnoException) => {
      closed.add(stream);
      if (reason.code !== "EPIPE")
        fault ??= new Stop(EXIT.disk, `The output could not be written: ${asStop(reason).message}`, reason);
    });
  }
  return { isClosed: (stream) => closed.has(stream), fault: () => fault };
}

export const streamErrors = watchStreamErrors([process.stdout, process.stderr]);
