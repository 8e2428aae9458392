import { chmod, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SecretStore } from "../ports.ts";

/**
 * Keeps each connection's API key in a file of its own that only its owner can read (mode 0600, in a folder of mode
 * 0700). A file that others can read is not used: it is refused with a sentence, because the key in it is no secret.
 */
export function createFileSecrets(folder: string): SecretStore {
  const fileOf = (connectionId: string): string => join(folder, `${encodeURIComponent(connectionId)}.key`);
  return {
    get: (connectionId) => readKeyFile(fileOf(connectionId)),
    async set(connectionId, key) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = fileOf(connectionId);
      await writeFile(path, `${key}\n`, { mode: 0o600 });
      // An existing file keeps its old mode when it is written again.
      await chmod(path, 0o600);
    },
    async delete(connectionId) {
      await rm(fileOf(connectionId), { force: true });
    },
  };
}

/**
 * Reads a key from a file.
 *
 * @returns null where there is no such file
 * @throws Error with a sentence for the user where others can read it too
 */
export async function readKeyFile(path: string): Promise<string | null> {
  try {
    const { mode } = await stat(path);
    // Windows has no such modes; there the folder in the user's profile is what protects it.
    if (process.platform !== "win32" && (mode & 0o077) !== 0) {
      throw new Error(`Other users can read the key file ${path}: run “chmod 600” on it, and replace the key if they may have.`);
    }
    return (await readFile(path, "utf8")).trim() || null;
  } catch (reason) {
    if ((reason as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw reason;
  }
}
