import type { KeyKept } from "#shared/connection.ts";
import type { SecretStore } from "../ports.ts";

/** The API keys of this run. Every request asks here, so that a key that is replaced is used at once. */
export interface Keyring {
  now(connectionId: string): string | null;
  /** Fetches the kept key, where there is none for this run. */
  load(connectionId: string): Promise<void>;
  /** For this run only, before any kept one. */
  use(connectionId: string, apiKey: string): void;
  /** For this run, and, where `remember` says so and the system can keep a secret, beyond it. */
  put(connectionId: string, apiKey: string, remember: boolean): Promise<void>;
  /** Whether this is the key that the connection has already. */
  isKnown(connectionId: string, apiKey: string): Promise<boolean>;
  kept(connectionId: string): Promise<KeyKept>;
  forget(connectionId: string): Promise<void>;
}

export function createKeyring(secrets: SecretStore): Keyring {
  const keys = new Map<string, string>();
  return {
    now: (id) => keys.get(id) ?? null,
    async load(id) {
      const kept = keys.has(id) ? null : await secrets.get(id);
      if (kept !== null) keys.set(id, kept);
    },
    use: (id, apiKey) => void keys.set(id, apiKey),
    async put(id, apiKey, remember) {
      if (remember && (await secrets.protection()) !== "session") await secrets.set(id, apiKey);
      // An older one that is kept would come back with the next start.
      else await secrets.delete(id);
      keys.set(id, apiKey);
    },
    async isKnown(id, apiKey) {
      return keys.get(id) === apiKey || (await secrets.get(id)) === apiKey;
    },
    async kept(id) {
      if ((await secrets.get(id)) !== null) return secrets.protection();
      return keys.has(id) ? "session" : "none";
    },
    async forget(id) {
      await secrets.delete(id);
      keys.delete(id);
    },
  };
}
