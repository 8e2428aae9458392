import type { KeyStorage } from "#shared/connection.ts";
import { isPlainHttp } from "#shared/addresses.ts";
import type { SecretStore } from "../../ports.ts";
import { hideInLog } from "../../log/index.ts";
import { SecretError, type StoredKey, parseStoredKey, formatStoredKey } from "../../secrets.ts";

/**
 * The API keys of this run. Every request looks its key up here, so that a replaced key is used at once. The request
 * names its origin, so that a key is sent only to the origin that it was entered for, even if the address of its
 * connection changed since.
 */
export interface Keyring {
  /** The key for a request to an origin; null if none may be sent there. */
  keyFor(connectionId: string, origin: string): string | null;
  /** Returns why the key of a connection is not sent to an origin, as a sentence; null if it is sent or no key exists. */
  whyWithheld(connectionId: string, origin: string): string | null;
  /** Disables the key for this run until another one is entered. */
  refuse(connectionId: string, why: string): void;
  /**
   * Loads the stored key, unless there is one for this run. If none is stored, a key that was given for this run is bound
   * to this origin, if the witness names the same one.
   *
   * @param witness origin of the connection according to its cache; null if that does not say
   */
  load(connectionId: string, origin: string, witness: string | null): Promise<void>;
  /** Sets a key for this run only, which overrides a stored one and has the same binding. */
  use(connectionId: string, apiKey: string): void;
  /** Sets the key of a service that this program runs itself. */
  useOwn(connectionId: string, apiKey: string, origin: string): void;
  /** Sets a key for this run, and stores it if `remember` is set and the system can keep a secret. */
  put(connectionId: string, kept: StoredKey, remember: boolean): Promise<void>;
  /** Whether the connection already has this key, for this origin. */
  isKnown(connectionId: string, apiKey: string, origin: string): Promise<boolean>;
  /** Where the key that may be sent to an origin is stored. */
  storageOf(connectionId: string, origin: string): Promise<KeyStorage>;
  forget(connectionId: string): Promise<void>;
}

/** A key of this run; `origin` is null if it is uncertain what it was entered for. */
type HeldKey = Omit<StoredKey, "origin"> & { readonly origin: string | null };

export function createKeyring(secrets: SecretStore): Keyring {
  const keys = new Map<string, HeldKey>();
  /** Keys for this run that are not bound to an origin yet. */
  const given = new Map<string, string>();

  /** Why an existing key is not used in this run, for example because others can read its file. */
  const refused = new Map<string, string>();

  /** An unusable key counts as none: cached data stays available without it. */
  async function stored(id: string): Promise<StoredKey | null> {
    try {
      const text = await secrets.get(id);
      const kept = text === null ? null : parseStoredKey(text);
      if (kept !== null) hideInLog(kept.key);
      return kept;
    } catch (thrown) {
      if (!(thrown instanceof SecretError)) throw thrown;
      if (!keys.has(id)) refused.set(id, thrown.message);
      return null;
    }
  }

  return {
    keyFor(id, origin) {
      const kept = keys.get(id);
      return kept && reasonAgainst(kept, origin) === null ? kept.key : null;
    },
    whyWithheld(id, origin) {
      const kept = keys.get(id);
      return kept ? reasonAgainst(kept, origin) : (refused.get(id) ?? null);
    },
    refuse(id, why) {
      keys.delete(id);
      given.delete(id);
      refused.set(id, why);
    },
    async load(id, origin, witness) {
      const typed = given.get(id);
      if (typed === undefined && (keys.has(id) || refused.has(id))) return;
      const kept = await stored(id);
      const key = typed ?? kept?.key;
      if (key === undefined) return;
      if (kept !== null) return void keys.set(id, { ...kept, key });
      const isAgreed = witness === null || witness === origin;
      keys.set(id, { key, origin: isAgreed ? origin : null, allowsPlainHttp: false });
    },
    use(id, apiKey) {
      hideInLog(apiKey);
      given.set(id, apiKey);
    },
    useOwn: (id, key, origin) => void keys.set(id, { key, origin, allowsPlainHttp: false }),
    async put(id, kept, remember) {
      hideInLog(kept.key);
      if (remember && (await secrets.protection()) !== "session") await secrets.set(id, formatStoredKey(kept));
      // A stored older key would be used again after the next start.
      else await secrets.delete(id);
      given.delete(id);
      refused.delete(id);
      keys.set(id, kept);
    },
    async isKnown(id, apiKey, origin) {
      const isSame = (kept: HeldKey | null | undefined): boolean => kept?.key === apiKey && kept.origin === origin;
      return isSame(keys.get(id)) || isSame(await stored(id));
    },
    async storageOf(id, origin) {
      const kept = await stored(id);
      if (kept !== null) return reasonAgainst(kept, origin) === null ? secrets.protection() : "none";
      const held = keys.get(id);
      return held && reasonAgainst(held, origin) === null ? "session" : "none";
    },
    async forget(id) {
      await secrets.delete(id);
      given.delete(id);
      refused.delete(id);
      keys.delete(id);
    },
  };
}

function reasonAgainst({ origin: bound, allowsPlainHttp }: HeldKey, origin: string): string | null {
  if (bound === null)
    return (
      `It is not certain that the API key of this connection was entered for ${origin}: what is kept of the connection names ` +
      "different addresses. The key was not sent. If the address is right, enter the key again."
    );
  if (bound !== origin)
    return (
      `The API key of this connection was entered for ${bound}, but the connection leads to ${origin} now. The key was not ` +
      "sent. If the new address is right, enter the key again; if not, remove the connection and add it again."
    );
  if (isPlainHttp(origin) && !allowsPlainHttp)
    return (
      `${origin} is not encrypted, and nobody has said that the API key may be read on the way. The key was not sent. Enter ` +
      "it again and allow plain http, or connect to an address with https://."
    );
  return null;
}
