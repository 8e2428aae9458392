import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { temporaryName } from "#formats/leftovers.ts";
import { parseStored } from "#shared/storedJson.ts";
import { codeOf } from "#shared/fault.ts";
import type { SecretStore } from "./ports.ts";
import { toStoreError } from "./store/errors.ts";

/** An existing key cannot be used. `message` is a sentence for the user, without the key. */
export class SecretError extends Error {
  override readonly name = "SecretError";
}

/** An API key, and where it may be sent. */
export interface StoredKey {
  readonly key: string;
  /** Scheme, host and port of the service that it was entered for. */
  readonly origin: string;
  /** Whether the user allowed sending it unencrypted. */
  readonly allowsPlainHttp: boolean;
}

const storedKeySchema = z.object({
  version: z.literal(1),
  origin: z.string(),
  allowsPlainHttp: z.boolean(),
  key: z.string().min(1),
});

/** Formats a key for storage, in one text with its binding, so that neither can be changed alone. */
export function formatStoredKey({ key, origin, allowsPlainHttp }: StoredKey): string {
  return JSON.stringify({ version: 1, origin, allowsPlainHttp, key });
}

/** @returns null if the format is unknown */
export function parseStoredKey(text: string): StoredKey | null {
  return parseStored(storedKeySchema, text);
}

/**
 * Stores each connection's API key in a file that only its owner can read (mode 0600, in a folder of mode 0700). Refuses
 * a file that others can read, because its key is not a secret.
 */
export function createFileSecrets(folder: string): SecretStore {
  const fileOf = (connectionId: string): string => join(folder, `${encodeURIComponent(connectionId)}.key`);
  return {
    get: (connectionId) => onDisk(fileOf(connectionId), readKeyFile),
    set: (connectionId, key) =>
      onDisk(fileOf(connectionId), async (path) => {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeKeyFile(path, key);
      }),
    delete: (connectionId) => onDisk(fileOf(connectionId), (path) => rm(path, { force: true })),
    protection: () => Promise.resolve("file"),
  };
}

async function onDisk<T>(path: string, work: (path: string) => Promise<T>): Promise<T> {
  try {
    return await work(path);
  } catch (reason) {
    throw reason instanceof SecretError ? reason : toStoreError(path, reason);
  }
}

/** Writes to a new file and renames it, because an existing file would have its old mode during the write. */
async function writeKeyFile(path: string, key: string): Promise<void> {
  const temporary = join(dirname(path), temporaryName());
  const file = await open(temporary, "wx", 0o600);
  try {
    await file.writeFile(`${key}\n`);
    await file.sync();
    await file.close();
    await rename(temporary, path);
  } catch (reason) {
    await file.close().catch(() => {});
    await rm(temporary, { force: true });
    throw reason;
  }
}

/**
 * Reads a key from a file.
 *
 * @returns null if the file does not exist or is empty
 * @throws SecretError if others can read it, else the error of the file system
 */
export async function readKeyFile(path: string): Promise<string | null> {
  try {
    await using file = await open(path, "r");
    const { mode } = await file.stat();
    // Windows has no such modes; the folder in the user's profile protects the file.
    if (process.platform !== "win32" && (mode & 0o077) !== 0) {
      throw new SecretError(
        `Other users can read the key file ${path}: run “chmod 600” on it, and replace the key if they may have.`,
      );
    }
    return (await file.readFile("utf8")).trim() || null;
  } catch (reason) {
    if (codeOf(reason) === "ENOENT") return null;
    throw reason;
  }
}
