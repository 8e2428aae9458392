import { readFileSync } from "node:fs";

/** Runs what a script of `bench/measured` measures with the arguments of the command line, and reports the result. */
export async function report<A, R>(measure: (args: A) => Promise<R> | R): Promise<void> {
  const result = await measure(JSON.parse(process.argv[2] ?? "{}") as A);
  // Started by hand, for a profile, it has no one to report to.
  if (process.send) process.send(result, () => process.disconnect());
  else console.log(JSON.stringify(result));
}

/**
 * The most memory this process ever had resident, in MB. Under Linux read from its own status: the figure of the resource
 * usage begins with that of the process that started it.
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

/** Seconds that the work took, and what it gave. */
export async function timed<T>(work: () => Promise<T> | T): Promise<{ readonly seconds: number; readonly value: T }> {
  const startedAt = performance.now();
  const value = await work();
  return { seconds: (performance.now() - startedAt) / 1_000, value };
}
