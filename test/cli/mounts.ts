import { execFileSync } from "node:child_process";

/**
 * Makes a folder read-only, also for root. @returns a function that undoes it; null if the system does not allow mounts
 */
export function mountReadOnly(folder: string): (() => void) | null {
  return mounted(folder, [
    ["--bind", folder, folder],
    ["-o", "remount,bind,ro", folder],
  ]);
}

/**
 * Mounts an empty disk of this size, such as "64k", at a folder. @returns a function that undoes it; null if the system
 * does not allow mounts
 */
export function mountSmallDisk(folder: string, size: string): (() => void) | null {
  return mounted(folder, [["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder]]);
}

function mounted(folder: string, mounts: readonly (readonly string[])[]): (() => void) | null {
  try {
    for (const words of mounts) execFileSync("mount", words, { stdio: "ignore" });
    return () => void execFileSync("umount", [folder], { stdio: "ignore" });
  } catch {
    return null;
  }
}
