import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll } from "vitest";
import type { FileCost } from "../../scripts/testing/costReporter.ts";

const PROC = "/proc";
/** Ticks of the kernel's clock in a second, as Linux tells them to programs. */
const TICKS_PER_SECOND = 100;

/** Of this process and, on Linux, of those it started: those that have ended, and those that go on, as a shared browser does. */
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

/** A process: its own time, and that of those of its children that have ended. */
function statOf(pid: string): { readonly pid: number; readonly parent: number; readonly ticks: number } {
  try {
    // Behind the name of the program, which may hold spaces: fields 14 to 17 are utime, stime, cutime and cstime.
    const fields = readFileSync(join(PROC, pid, "stat"), "latin1")
      .split(") ")
      .at(-1)!
      .split(" ");
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { pid: Number(pid), parent: Number(fields[1]), ticks };
  } catch {
    // It ended meanwhile.
    return { pid: Number(pid), parent: 0, ticks: 0 };
  }
}

const beforeMs = cpuMs();

// Registered before those of the file, and so called after them: what the file started has ended.
// oxlint-disable-next-line no-empty-pattern -- Vitest reads from the pattern which fixtures the hook wants: none
afterAll(({}, suite) => {
  (suite.file.meta as FileCost).cpuMs = cpuMs() - beforeMs;
});
