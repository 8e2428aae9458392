import { readdirSync, readFileSync } from "node:fs";

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly peakMb: number;
}

/** The sum of the peak resident memory of a process and its descendants, in MB; NaN without /proc. */
export function peakMbOfTree(pid: number): number {
  const all = processes();
  const root = all.find((each) => each.pid === pid);
  if (!root) return Number.NaN;
  const sum = (of: Process): number =>
    all.filter(({ parent }) => parent === of.pid).reduce((mb, child) => mb + sum(child), of.peakMb);
  return sum(root);
}

function processes(): Process[] {
  try {
    return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? readProcess(Number(name)) : []));
  } catch {
    return [];
  }
}

/** Empty if the process has ended meanwhile. */
function readProcess(pid: number): Process[] {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const parent = Number(/PPid:\s+(\d+)/.exec(status)?.[1]);
    const kilobytes = Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN);
    return [{ pid, parent, peakMb: kilobytes / 1_000 }];
  } catch {
    return [];
  }
}
