import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SafeStorage } from "electron";
import { codeOf } from "#shared/fault.ts";
import type { SecretStore } from "../ports.ts";
import { SecretError } from "../secrets.ts";

type Storage = Pick<SafeStorage, "encryptStringAsync" | "decryptStringAsync">;

/** A secret store that can predict its protection without making the system prompt the user. */
export type PredictingSecrets = SecretStore & Required<Pick<SecretStore, "expectedProtection">>;

/**
 * Whether the system's secret store encrypted this. On Linux, the first bytes name the key: `v10` is a well-known one,
 * used without a store; `v11` and later are keys of the store. Nothing else is reliable there: Electron always reports its
 * asynchronous encryption as available, and the backend's name is that of the synchronous one.
 */
function isSealedByStore(sealed: Buffer, platform: NodeJS.Platform): boolean {
  return platform !== "linux" || /^v(?!10)\d\d/.test(sealed.toString("latin1", 0, 3));
}

/**
 * Stores API keys encrypted by the system's secret store, each in a file. If the system has none, a key is kept only in
 * memory until the program ends. The store, which may prompt the user to unlock it, is used only when a key is written or
 * read.
 */
export class SafeSecrets implements PredictingSecrets {
  readonly #folder: string;
  readonly #storage: Storage;
  readonly #platform: NodeJS.Platform;
  readonly #onLocked: () => void;
  readonly #inMemory = new Map<string, string>();
  /** Whether the last encryption used the store; null before the first. */
  #isStoreThere: boolean | null = null;

  /**
   * @param onLocked called when the store refuses a key. Electron asks the store once per process, so that only a restart
   *   helps after the user unlocked it
   */
  constructor(folder: string, storage: Storage, platform: NodeJS.Platform, onLocked: () => void = () => {}) {
    this.#folder = folder;
    this.#storage = storage;
    this.#platform = platform;
    this.#onLocked = onLocked;
  }

  async get(connectionId: string): Promise<string | null> {
    const kept = this.#inMemory.get(connectionId);
    if (kept !== undefined) return kept;
    const sealed = await readIfThere(this.#fileOf(connectionId));
    if (sealed === null || !isSealedByStore(sealed, this.#platform)) return null;
    return this.#unsealed(connectionId, sealed);
  }

  async set(connectionId: string, key: string): Promise<void> {
    const sealed = await this.#seal(key);
    if (sealed) {
      await this.#write(connectionId, sealed);
      this.#inMemory.delete(connectionId);
    } else {
      // An older key must not be used again when the store is available.
      await rm(this.#fileOf(connectionId), { force: true });
      this.#inMemory.set(connectionId, key);
    }
  }

  async delete(connectionId: string): Promise<void> {
    this.#inMemory.delete(connectionId);
    await rm(this.#fileOf(connectionId), { force: true });
  }

  async protection(): ReturnType<PredictingSecrets["protection"]> {
    if (this.#isStoreThere !== true) await this.#seal("probe");
    return this.#isStoreThere ? "protected" : "session";
  }

  async expectedProtection(): ReturnType<PredictingSecrets["expectedProtection"]> {
    // Windows and macOS always have a store.
    if (this.#isStoreThere === null) return this.#platform === "linux" ? "unasked" : "protected";
    return this.#isStoreThere ? "protected" : "session";
  }

  #fileOf(connectionId: string): string {
    return join(this.#folder, `${encodeURIComponent(connectionId)}.sealed`);
  }

  /** The text encrypted by the store; null without a store. */
  async #seal(text: string): Promise<Buffer | null> {
    const sealed = await this.#storage.encryptStringAsync(text).catch(() => null);
    this.#isStoreThere = sealed !== null && isSealedByStore(sealed, this.#platform);
    return this.#isStoreThere ? sealed : null;
  }

  /** Writes to a temporary file and renames it, so that no key is half written. */
  async #write(connectionId: string, sealed: Buffer): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const path = this.#fileOf(connectionId);
    const temporary = `${path}.${randomUUID()}`;
    try {
      await writeFile(temporary, sealed, { mode: 0o600, flag: "wx", flush: true });
      await rename(temporary, path);
    } catch (reason) {
      await rm(temporary, { force: true });
      throw reason;
    }
  }

  async #unsealed(connectionId: string, sealed: Buffer): Promise<string> {
    try {
      const { result, shouldReEncrypt } = await this.#storage.decryptStringAsync(sealed);
      // If that fails, the old encryption is still valid.
      const again = shouldReEncrypt ? await this.#seal(result) : null;
      if (again) await this.#write(connectionId, again).catch(() => {});
      return result;
    } catch {
      this.#onLocked();
      // Without the cause, which may contain parts of the file.
      throw new SecretError(
        "The system's secret store did not give the API key of this connection. Unlock the store and restart Zenith Desk, or enter the key again.",
      );
    }
  }
}

async function readIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (reason) {
    if (codeOf(reason) === "ENOENT") return null;
    throw reason;
  }
}
