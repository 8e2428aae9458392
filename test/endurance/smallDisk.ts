import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";

/**
 * Mounts a disk in memory that is full after some megabytes.
 *
 * @returns how to unmount it; null where this system does not let the tests mount anything
 */
export function mountSmallDisk(folder: string, megabytes: number): (() => void) | null {
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder], { stdio: "ignore" });
  } catch {
    return null;
  }
  return () => void execFileSync("umount", [folder], { stdio: "ignore" });
}
