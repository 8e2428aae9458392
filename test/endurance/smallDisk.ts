import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";

/**
 * Mounts a memory disk of some megabytes.
 *
 * @returns a function that unmounts it; null if the system does not allow mounts
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
