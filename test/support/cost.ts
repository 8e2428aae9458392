import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll } from "vitest";
import type { FileCost } from "../../scripts/testing/costReporter.ts";

const PROC = "/proc";
/** Clock ticks per second, as Linux reports them to programs. */
const TICKS_PER_SECOND = 100;

/** CPU time of this process and, on Linux, of its finished and running child processes, such as a shared browser. */
function cpuMs(): number {
  if (!existsSync(join(PROC, "self"))) {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
  const all = readdirSync(PROC).flatMap((pid) => (/^\d+$/.test(pid) ? [statOf(pid)] : []));
  const ticksOf = (pid: number): number =>
    all.filter((each) => each.parent === pid).reduce((sum, child) => sum + ticksOf(child.pid), 0) +
    (all.find((each) => each.pid === pid)?.ticks ?? 0);
  return (ticksOf(process.pid) * 1_000) / TICKS_PER_SECOND;
}

/** CPU time of a process and its finished children. */
function statOf(pid: string): { readonly pid: number; readonly parent: number; readonly ticks: number } {
  try {
    // After the name of the program, which may contain spaces, fields 14 to 17 are utime, stime, cutime and cstime.
    const fields = readFileSync(join(PROC, pid, "stat"), "latin1")
      .split(") ")
      .at(-1)!
      .split(" ");
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { pid: Number(pid), parent: Number(fields[1]), ticks };
  } catch {
    // The process has ended in the meantime.
    return { pid: Number(pid), parent: 0, ticks: 0 };
  }
}

const beforeMs = cpuMs();

// Registered before the hooks of the file, and therefore called after them, when its processes have ended.
// oxlint-disable-next-line no-empty-pattern -- Vitest reads from the pattern which fixtures the hook wants: none
afterAll(({}, suite) => {
  (suite.file.meta as FileCost).cpuMs = cpuMs() - beforeMs;
});
