import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SafeStorage } from "electron";
import { codeOf } from "#shared/thrown.ts";
import type { SecretStore } from "../ports.ts";
import { SecretError } from "../secrets/keptKey.ts";

type Storage = Pick<SafeStorage, "encryptStringAsync" | "decryptStringAsync">;

/** A store that can say something of itself without the system asking its user. */
export type PredictingSecrets = SecretStore & Required<Pick<SecretStore, "expectedProtection">>;

/**
 * Whether the system's store sealed this. On Linux the first bytes name the key: `v10` is one that everybody knows, taken
 * where there is no store; `v11` and later ones are the store's own. No other sign can be trusted there: Electron says of
 * its asynchronous sealing that it is available in any case, and the name of the backend is that of another one.
 */
function isSealedByStore(sealed: Buffer, platform: NodeJS.Platform): boolean {
  return platform !== "linux" || /^v(?!10)\d\d/.test(sealed.toString("latin1", 0, 3));
}

/**
 * Keeps API keys encrypted by the system's secret store, each in a file of its own. Where the system protects nothing,
 * a key is kept in memory until the program ends, and nothing is written. The store, which may ask its user to unlock
 * it, is asked when a key is kept or read, and never before.
 */
export function createSafeSecrets(folder: string, storage: Storage, platform: NodeJS.Platform): PredictingSecrets {
  const thisSession = new Map<string, string>();
  const fileOf = (connectionId: string): string => join(folder, `${encodeURIComponent(connectionId)}.sealed`);
  /** What the last seal showed; null before the first. */
  let isStoreThere: boolean | null = null;

  /** The text as the store seals it; null where no store does. */
  async function seal(text: string): Promise<Buffer | null> {
    const sealed = await storage.encryptStringAsync(text).catch(() => null);
    isStoreThere = sealed !== null && isSealedByStore(sealed, platform);
    return isStoreThere ? sealed : null;
  }

  /** Under a new name first: a key that is half written is none. */
  async function write(connectionId: string, sealed: Buffer): Promise<void> {
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
      const again = shouldReEncrypt ? await seal(result) : null;
      if (again) await write(connectionId, again).catch(() => {});
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
      if (sealed === null || !isSealedByStore(sealed, platform)) return null;
      return unsealed(connectionId, sealed);
    },
    async set(connectionId, key) {
      const sealed = await seal(key);
      if (sealed) {
        await write(connectionId, sealed);
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
      if (isStoreThere !== true) await seal("probe");
      return isStoreThere ? "protected" : "session";
    },
    async expectedProtection() {
      // Windows and macOS have a store in any case.
      if (isStoreThere === null) return platform === "linux" ? "unasked" : "protected";
      return isStoreThere ? "protected" : "session";
    },
  };
}

async function readIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (reason) {
    if (codeOf(reason) === "ENOENT") return null;
    throw reason;
  }
}
