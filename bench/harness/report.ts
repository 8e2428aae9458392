import { readFileSync } from "node:fs";

/** Runs the measurement of a script of `bench/measured` with the arguments of the command line, and reports the result. */
export async function report<A, R>(measure: (args: A) => Promise<R> | R): Promise<void> {
  const result = await measure(JSON.parse(process.argv[2] ?? "{}") as A);
  // A script that was started by hand, for a profile, has no parent process.
  if (process.send) process.send(result, () => process.disconnect());
  else console.log(JSON.stringify(result));
}

/**
 * The peak resident memory of this process in MB. Under Linux it is read from /proc: the figure of the resource usage
 * includes that of the parent process.
 */
export function peakMb(): number {
  try {
    const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
    if (kilobytes !== undefined) return Number(kilobytes) / 1_000;
  } catch {
    // Not Linux.
  }
  return process.resourceUsage().maxRSS / 1_000;
}

/** The duration of the work in seconds, and its result. */
export async function timed<T>(work: () => Promise<T> | T): Promise<{ readonly seconds: number; readonly value: T }> {
  const startedAt = performance.now();
  const value = await work();
  return { seconds: (performance.now() - startedAt) / 1_000, value };
}
