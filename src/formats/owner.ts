import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { codeOf } from "#shared/fault.ts";

/** Whether a process of this computer exists, of any user. */
export function isAlive(pid: number): boolean {
  try {
    // Signal 0 only tests for existence.
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return codeOf(thrown) === "EPERM";
  }
}

/** Returns the owner in the name of a temporary file: `<system>-<process>`, 8 hex digits and a process id. */
export function ownerMark(): string {
  return `${systemId()}-${process.pid}`;
}

/** Whether the process of a mark ended; null if unknown, because the mark is from another computer or boot. */
export function isOwnerGone(mark: string): boolean | null {
  const [system, pid] = mark.split("-");
  return system === systemId() ? !isAlive(Number(pid)) : null;
}

let known: string | null = null;

/** Identifies this computer, boot and container, within which process ids are meaningful. */
function systemId(): string {
  known ??= createHash("sha256")
    .update(
      [
        hostname(),
        onLinux(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8")),
        onLinux(() => readlinkSync("/proc/self/ns/pid")),
      ].join("\n"),
    )
    .digest("hex")
    .slice(0, 8);
  return known;
}

/** Returns a value that only Linux has, or an empty text. */
function onLinux(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
