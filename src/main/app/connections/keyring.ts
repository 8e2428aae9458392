import type { KeyKept } from "#shared/connection.ts";
import { isPlainHttp } from "#shared/service/plainHttp.ts";
import type { SecretStore } from "../../ports.ts";
import { hideInLog } from "../../log/index.ts";
import { SecretError, type KeptKey, readKeptKey, writeKeptKey } from "../../secrets/keptKey.ts";

/**
 * The API keys of this run. Every request asks here, so that a key that is replaced is used at once; and each says where it
 * goes, so that a key goes nowhere but to the origin that it was entered for, whatever became of the address of its
 * connection since.
 */
export interface Keyring {
  /** The key for a request to an origin; null where there is none that may go there. */
  now(connectionId: string, origin: string): string | null;
  /** Why a key that is there does not go to an origin, in a sentence; null where there is none, or it does go. */
  whyNot(connectionId: string, origin: string): string | null;
  /** Uses no key for this run until another one is entered. */
  refuse(connectionId: string, why: string): void;
  /**
   * Fetches the kept key, where there is none for this run. One that does not say what it was entered for, because an earlier
   * version kept it or it was given for this run, is bound to the origin from then on, if all witnesses name the same one.
   *
   * @param witnesses origins that others than the connection's own record know the connection by
   */
  load(connectionId: string, origin: string, witnesses: readonly string[]): Promise<void>;
  /** For this run only, before any kept one; bound as the kept one is. */
  use(connectionId: string, apiKey: string): void;
  /** The key of a service that this program runs itself. */
  useOwn(connectionId: string, apiKey: string, origin: string): void;
  /** For this run, and, where `remember` says so and the system can keep a secret, beyond it. */
  put(connectionId: string, kept: KeptKey, remember: boolean): Promise<void>;
  /** Whether this is the key that the connection has already, for this origin. */
  isKnown(connectionId: string, apiKey: string, origin: string): Promise<boolean>;
  /** How a key that may go to an origin is kept. */
  kept(connectionId: string, origin: string): Promise<KeyKept>;
  forget(connectionId: string): Promise<void>;
}

export function createKeyring(secrets: SecretStore): Keyring {
  const keys = new Map<string, KeptKey>();
  /** Keys for this run whose binding is not known yet. */
  const given = new Map<string, string>();

  /** Why a key that is there is not used in this run, such as a file that others can read. */
  const refused = new Map<string, string>();

  /** One that may not be used keeps nobody from what is cached. */
  async function stored(id: string): Promise<KeptKey | null> {
    try {
      const text = await secrets.get(id);
      const kept = text === null ? null : readKeptKey(text);
      if (kept !== null) hideInLog(kept.key);
      return kept;
    } catch (thrown) {
      if (!(thrown instanceof SecretError)) throw thrown;
      if (!keys.has(id)) refused.set(id, thrown.message);
      return null;
    }
  }

  return {
    now(id, origin) {
      const kept = keys.get(id);
      return kept && reasonAgainst(kept, origin) === null ? kept.key : null;
    },
    whyNot(id, origin) {
      const kept = keys.get(id);
      return kept ? reasonAgainst(kept, origin) : (refused.get(id) ?? null);
    },
    refuse(id, why) {
      keys.delete(id);
      given.delete(id);
      refused.set(id, why);
    },
    async load(id, origin, witnesses) {
      const typed = given.get(id);
      if (typed === undefined && (keys.has(id) || refused.has(id))) return;
      const kept = await stored(id);
      const key = typed ?? kept?.key;
      if (key === undefined) return;
      if (kept !== null && kept.origin !== null) return void keys.set(id, { ...kept, key });
      const isAgreed = witnesses.every((witness) => witness === origin);
      const bound = { key, origin: isAgreed ? origin : null, allowsPlainHttp: false };
      keys.set(id, bound);
      // Once: what the record says later is not believed any more.
      if (kept !== null && isAgreed) await secrets.set(id, writeKeptKey({ ...bound, key: kept.key })).catch(() => {});
    },
    use(id, apiKey) {
      hideInLog(apiKey);
      given.set(id, apiKey);
    },
    useOwn: (id, key, origin) => void keys.set(id, { key, origin, allowsPlainHttp: false }),
    async put(id, kept, remember) {
      hideInLog(kept.key);
      if (remember && (await secrets.protection()) !== "session") await secrets.set(id, writeKeptKey(kept));
      // An older one that is kept would come back with the next start.
      else await secrets.delete(id);
      given.delete(id);
      refused.delete(id);
      keys.set(id, kept);
    },
    async isKnown(id, apiKey, origin) {
      const isSame = (kept: KeptKey | null | undefined): boolean => kept?.key === apiKey && kept.origin === origin;
      return isSame(keys.get(id)) || isSame(await stored(id));
    },
    async kept(id, origin) {
      const kept = await stored(id);
      // One of an earlier version is bound when it is first used.
      if (kept !== null)
        return kept.origin === null || reasonAgainst(kept, origin) === null ? secrets.protection() : "none";
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

function reasonAgainst({ origin: bound, allowsPlainHttp }: KeptKey, origin: string): string | null {
  if (bound === null)
    return (
      `It is not certain that the API key of this connection was entered for ${origin}: what is kept of the connection names ` +
      "different addresses. The key was not sent. If the address is right, enter the key again."
    );
  if (bound !== origin)
    return (
      `The API key of this connection was entered for ${bound}, but the connection leads to ${origin} now. The key was not ` +
      "sent. If the new address is right, enter the key again; if not, remove the connection and connect anew."
    );
  if (isPlainHttp(origin) && !allowsPlainHttp)
    return (
      `${origin} is not encrypted, and nobody has said that the API key may be read on the way. The key was not sent. Enter ` +
      "it again and allow plain http, or connect to an address with https://."
    );
  return null;
}
