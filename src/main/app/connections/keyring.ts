import type { KeyStorage } from "#shared/connection.ts";
import { isPlainHttp } from "#shared/addresses.ts";
import type { SecretStore } from "../../ports.ts";
import { hideInLog } from "../../log/index.ts";
import { SecretError, type StoredKey, parseStoredKey, formatStoredKey } from "../../secrets.ts";

/** A key of this run; `origin` is null if it is uncertain what it was entered for. */
type HeldKey = Omit<StoredKey, "origin"> & { readonly origin: string | null };

/**
 * The API keys of this run. Every request looks its key up here, so that a replaced key is used at once. The request
 * names its origin, so that a key is sent only to the origin that it was entered for, even if the address of its
 * connection changed since.
 */
export class Keyring {
  readonly #secrets: SecretStore;
  readonly #keys = new Map<string, HeldKey>();
  /** Keys for this run that are not bound to an origin yet. */
  readonly #given = new Map<string, string>();
  /** Why an existing key is not used in this run, for example because others can read its file. */
  readonly #refused = new Map<string, string>();

  constructor(secrets: SecretStore) {
    this.#secrets = secrets;
  }

  /** The key for a request to an origin; null if none may be sent there. */
  keyFor(id: string, origin: string): string | null {
    const kept = this.#keys.get(id);
    return kept && reasonAgainst(kept, origin) === null ? kept.key : null;
  }

  /** Returns why the key of a connection is not sent to an origin, as a sentence; null if it is sent or no key exists. */
  whyWithheld(id: string, origin: string): string | null {
    const kept = this.#keys.get(id);
    return kept ? reasonAgainst(kept, origin) : (this.#refused.get(id) ?? null);
  }

  /** Disables the key for this run until another one is entered. */
  refuse(id: string, why: string): void {
    this.#keys.delete(id);
    this.#given.delete(id);
    this.#refused.set(id, why);
  }

  /**
   * Loads the stored key, unless there is one for this run. If none is stored, a key that was given for this run is bound
   * to this origin, if the witness names the same one.
   *
   * @param witness origin of the connection according to its cache; null if that does not say
   */
  async load(id: string, origin: string, witness: string | null): Promise<void> {
    const typed = this.#given.get(id);
    if (typed === undefined && (this.#keys.has(id) || this.#refused.has(id))) return;
    const kept = await this.#stored(id);
    const key = typed ?? kept?.key;
    if (key === undefined) return;
    if (kept !== null) return void this.#keys.set(id, { ...kept, key });
    const isAgreed = witness === null || witness === origin;
    this.#keys.set(id, { key, origin: isAgreed ? origin : null, allowsPlainHttp: false });
  }

  /** Sets a key for this run only, which overrides a stored one and has the same binding. */
  use(id: string, apiKey: string): void {
    hideInLog(apiKey);
    this.#given.set(id, apiKey);
  }

  /** Sets the key of a service that this program runs itself. */
  useOwn(id: string, key: string, origin: string): void {
    this.#keys.set(id, { key, origin, allowsPlainHttp: false });
  }

  /** Sets a key for this run, and stores it if `remember` is set and the system can keep a secret. */
  async put(id: string, kept: StoredKey, remember: boolean): Promise<void> {
    hideInLog(kept.key);
    if (remember && (await this.#secrets.protection()) !== "session")
      await this.#secrets.set(id, formatStoredKey(kept));
    // A stored older key would be used again after the next start.
    else await this.#secrets.delete(id);
    this.#given.delete(id);
    this.#refused.delete(id);
    this.#keys.set(id, kept);
  }

  /** Whether the connection already has this key, for this origin. */
  async isKnown(id: string, apiKey: string, origin: string): Promise<boolean> {
    const isSame = (kept: HeldKey | null | undefined): boolean => kept?.key === apiKey && kept.origin === origin;
    return isSame(this.#keys.get(id)) || isSame(await this.#stored(id));
  }

  /** Where the key that may be sent to an origin is stored. */
  async storageOf(id: string, origin: string): Promise<KeyStorage> {
    const kept = await this.#stored(id);
    if (kept !== null) return reasonAgainst(kept, origin) === null ? this.#secrets.protection() : "none";
    const held = this.#keys.get(id);
    return held && reasonAgainst(held, origin) === null ? "session" : "none";
  }

  async forget(id: string): Promise<void> {
    await this.#secrets.delete(id);
    this.#given.delete(id);
    this.#refused.delete(id);
    this.#keys.delete(id);
  }

  /** An unusable key counts as none: cached data stays available without it. */
  async #stored(id: string): Promise<StoredKey | null> {
    try {
      const text = await this.#secrets.get(id);
      const kept = text === null ? null : parseStoredKey(text);
      if (kept !== null) hideInLog(kept.key);
      return kept;
    } catch (thrown) {
      if (!(thrown instanceof SecretError)) throw thrown;
      if (!this.#keys.has(id)) this.#refused.set(id, thrown.message);
      return null;
    }
  }
}

function reasonAgainst({ origin: bound, allowsPlainHttp }: HeldKey, origin: string): string | null {
  if (bound === null)
    return (
      `The stored key may have been entered for another address than ${origin}: the connection and its cache name different ` +
      "ones. The key was not sent. If the address is right, enter the key again."
    );
  if (bound !== origin)
    return (
      `The API key of this connection was entered for ${bound}, but the connection leads to ${origin} now. The key was not ` +
      "sent. If the new address is right, enter the key again; if not, remove the connection and add it again."
    );
  if (isPlainHttp(origin) && !allowsPlainHttp)
    return (
      `${origin} is not encrypted, and sending the API key unencrypted was not allowed. The key was not sent. Enter ` +
      "it again and allow plain http, or connect to an address with https://."
    );
  return null;
}
