import { existsSync, readFileSync } from "node:fs";
import { afterAll } from "vitest";
import type { FileCost } from "../../scripts/testing/costReporter.ts";

const STAT = "/proc/self/stat";
/** Ticks of the kernel's clock in a second, as Linux tells them to programs. */
const TICKS_PER_SECOND = 100;

/** Of this process, and on Linux of its children that have ended. */
function cpuMs(): number {
  if (!existsSync(STAT)) {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
  // Behind the name of the program, which may hold spaces: fields 14 to 17 are utime, stime, cutime and cstime.
  const fields = readFileSync(STAT, "latin1").split(") ").at(-1)!.split(" ");
  return (fields.slice(11, 15).reduce((ticks, field) => ticks + Number(field), 0) * 1_000) / TICKS_PER_SECOND;
}

const beforeMs = cpuMs();

// Registered before those of the file, and so called after them: what the file started has ended.
// oxlint-disable-next-line no-empty-pattern -- Vitest reads from the pattern which fixtures the hook wants: none
afterAll(({}, suite) => {
  (suite.file.meta as FileCost).cpuMs = cpuMs() - beforeMs;
});
