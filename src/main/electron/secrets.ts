import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SafeStorage } from "electron";
import type { SecretStore } from "../ports.ts";
import { SecretError } from "../secrets/error.ts";

type Storage = Pick<
  SafeStorage,
  "isAsyncEncryptionAvailable" | "encryptStringAsync" | "decryptStringAsync" | "getSelectedStorageBackend"
>;

/** On Linux these stand for a constant key, or for none that is known: whoever has the file has what is in it. */
const UNPROTECTED: readonly string[] = ["basic_text", "unknown"];

/**
 * Keeps API keys encrypted by the system's secret store, each in a file of its own. Where the system protects nothing,
 * a key is kept in memory until the program ends, and nothing is written.
 */
export function createSafeSecrets(folder: string, storage: Storage, platform: NodeJS.Platform): SecretStore {
  const thisSession = new Map<string, string>();
  const fileOf = (connectionId: string): string => join(folder, `${encodeURIComponent(connectionId)}.sealed`);

  async function isProtected(): Promise<boolean> {
    if (platform === "linux" && UNPROTECTED.includes(storage.getSelectedStorageBackend())) return false;
    return storage.isAsyncEncryptionAvailable();
  }

  /** Under a new name first: a key that is half written is none. */
  async function write(connectionId: string, key: string): Promise<void> {
    const sealed = await storage.encryptStringAsync(key);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = fileOf(connectionId);
    const temporary = `${path}.${randomUUID()}`;
    try {
      await writeFile(temporary, sealed, { mode: 0o600, flag: "wx", flush: true });
      await rename(temporary, path);
    } catch (reason) {
      await rm(temporary, { force: true });
      throw reason;
    }
  }

  async function unsealed(connectionId: string, sealed: Buffer): Promise<string> {
    try {
      const { result, shouldReEncrypt } = await storage.decryptStringAsync(sealed);
      // Where that fails, the old seal still holds.
      if (shouldReEncrypt) await write(connectionId, result).catch(() => {});
      return result;
    } catch {
      // The reason stays here: it may speak of what is in the file.
      throw new SecretError(
        "The system's secret store did not give the API key of this connection. Unlock it and try again, or enter the key again.",
      );
    }
  }

  return {
    async get(connectionId) {
      const kept = thisSession.get(connectionId);
      if (kept !== undefined) return kept;
      const sealed = await readIfThere(fileOf(connectionId));
      if (sealed === null || !(await isProtected())) return null;
      return unsealed(connectionId, sealed);
    },
    async set(connectionId, key) {
      if (await isProtected()) {
        await write(connectionId, key);
        thisSession.delete(connectionId);
      } else {
        // An older key must not come back with the secret store.
        await rm(fileOf(connectionId), { force: true });
        thisSession.set(connectionId, key);
      }
    },
    async delete(connectionId) {
      thisSession.delete(connectionId);
      await rm(fileOf(connectionId), { force: true });
    },
    async protection() {
      return (await isProtected()) ? "protected" : "session";
    },
  };
}

async function readIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (reason) {
    if (reason instanceof Error && "code" in reason && reason.code === "ENOENT") return null;
    throw reason;
  }
}
