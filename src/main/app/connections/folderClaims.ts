import { join } from "node:path";
import { log } from "../../log/index.ts";
import type { Ports } from "../../ports.ts";
import { type ClaimStore, openClaimStore } from "../../store/index.ts";
import { type Claims, createClaims, createSharedClaims } from "../../sync/claims.ts";
import { systemClock } from "../../sync/clock.ts";

/** How error messages of other processes name this one as the user of a cache. */
const WINDOW = "a window of Zenith Desk";
const COMMAND = "the command line";

/** What the processes of a data folder tell each other: which parts they download, and which caches they have open. */
export class FolderClaims {
  readonly #dataFolder: string;
  readonly #desktop: Ports["desktop"];
  readonly #clock;
  /** Opened when it is first needed. */
  #store: ClaimStore | null = null;
  #hasLoggedFailure = false;

  constructor({ dataFolder, desktop, clock = systemClock }: Ports) {
    this.#dataFolder = dataFolder;
    this.#desktop = desktop;
    this.#clock = clock;
  }

  /** The claims of a connection, shared by all processes; of this one alone if their store cannot be opened. */
  of(connectionId: string): Claims {
    const open = this.#storeOrNull();
    if (open === null) return createClaims();
    return createSharedClaims(
      { take: (claim, isFree) => open.take(connectionId, claim, isFree), version: () => open.version() },
      this.#clock,
    );
  }

  /** Registers this process as a user of a cache until the returned function is called. */
  registerUse(cachePath: string): (() => void) | undefined {
    return this.#storeOrNull()?.registerUse(cachePath, this.#desktop ? WINDOW : COMMAND);
  }

  otherUsersOf(cachePath: string): readonly string[] {
    return this.#storeOrNull()?.otherUsersOf(cachePath) ?? [];
  }

  close(): void {
    this.#store?.close();
  }

  #storeOrNull(): ClaimStore | null {
    try {
      return (this.#store ??= openClaimStore(join(this.#dataFolder, "claims.db")));
    } catch (thrown) {
      if (!this.#hasLoggedFailure) log.warn("downloads of other programs are unknown", thrown);
      this.#hasLoggedFailure = true;
      return null;
    }
  }
}
