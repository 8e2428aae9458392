import { join } from "node:path";
import { log } from "../../log/index.ts";
import type { Ports } from "../../ports.ts";
import { type ClaimStore, openClaimStore } from "../../store/index.ts";
import { type Claims, createClaims, createSharedClaims } from "../../sync/claims.ts";
import { systemClock } from "../../sync/clock.ts";

/** What the processes of a data folder tell each other: which parts they download, and which caches they have open. */
interface FolderClaims {
  /** The claims of a connection, shared by all processes; of this one alone if their store cannot be opened. */
  of(connectionId: string): Claims;
  /** Registers this process as a user of a cache until the returned function is called. */
  registerUse(cachePath: string): (() => void) | undefined;
  otherUsersOf(cachePath: string): readonly string[];
  close(): void;
}

/** How error messages of other processes name this one as the user of a cache. */
const WINDOW = "a window of Zenith Desk";
const COMMAND = "the command line";

/** The store of the claims is opened when it is first needed. */
export function createFolderClaims({ dataFolder, desktop, clock = systemClock }: Ports): FolderClaims {
  let store: ClaimStore | null = null;
  let hasLoggedFailure = false;

  function storeOrNull(): ClaimStore | null {
    try {
      return (store ??= openClaimStore(join(dataFolder, "claims.db")));
    } catch (thrown) {
      if (!hasLoggedFailure) log.warn("downloads of other programs are unknown", thrown);
      hasLoggedFailure = true;
      return null;
    }
  }

  return {
    of(connectionId) {
      const open = storeOrNull();
      if (open === null) return createClaims();
      return createSharedClaims(
        { take: (claim, isFree) => open.take(connectionId, claim, isFree), version: () => open.version() },
        clock,
      );
    },
    registerUse: (cachePath) => storeOrNull()?.registerUse(cachePath, desktop ? WINDOW : COMMAND),
    otherUsersOf: (cachePath) => storeOrNull()?.otherUsersOf(cachePath) ?? [],
    close: () => store?.close(),
  };
}
