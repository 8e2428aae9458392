import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { codeOf } from "#shared/thrown.ts";

/** Whether a process of this computer is there, whoever it belongs to. */
export function isAlive(pid: number): boolean {
  try {
    // Sends nothing: only asks.
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return codeOf(thrown) === "EPERM";
  }
}

/** Who writes a temporary file, as its name tells: `<where>-<process>`, 8 hex digits and a number. */
export function ownerMark(): string {
  return `${here()}-${process.pid}`;
}

/** Whether the process of a mark ended; null where that cannot be told, because it was one of another computer or start. */
export function isOwnerGone(mark: string): boolean | null {
  const [where, pid] = mark.split("-");
  return where === here() ? !isAlive(Number(pid)) : null;
}

let known: string | null = null;

/** This computer since its start, and this container: only here does the number of a process mean something. */
function here(): string {
  known ??= createHash("sha256")
    .update(
      [
        hostname(),
        ofSystem(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8")),
        ofSystem(() => readlinkSync("/proc/self/ns/pid")),
      ].join("\n"),
    )
    .digest("hex")
    .slice(0, 8);
  return known;
}

/** What only Linux tells. */
function ofSystem(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
