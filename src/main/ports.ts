import type { Capabilities, KeyProtection } from "#shared/bridge/methods/system.ts";
import type { Transport } from "./client/types.ts";
import type { Clock } from "./sync/clock.ts";
import type { Patience } from "./sync/session.ts";

/** A cache that cannot be written to, and the copy of it that can. */
export interface CacheCopy {
  readonly original: string;
  readonly copy: string;
}

/** Where API keys are kept: the operating system's secret store, or a file only its owner can read. */
export interface SecretStore {
  get(connectionId: string): Promise<string | null>;
  set(connectionId: string, key: string): Promise<void>;
  delete(connectionId: string): Promise<void>;
  /** How well a key is kept, see `Capabilities.keys`; `session` keeps nothing beyond the end of the program. */
  protection(): Promise<KeyProtection>;
  /** As `protection`, where that would make the system ask its user: what can be said without. */
  expectedProtection?(): Promise<Capabilities["keys"]>;
}

/** The desktop around the windows. What a shell cannot do, its capabilities say, and the function is not there. */
export interface Desktop {
  readonly capabilities: Omit<Capabilities, "keys">;
  /** Name and version of what the shell itself is made of. */
  readonly components: readonly { readonly name: string; readonly version: string }[];
  /** null where the user chose none. */
  readonly chooseSaveFile?: (options: SaveFileOptions, windowId: number | null) => Promise<string | null>;
  /** null where the user chose none. */
  readonly chooseFolder?: (windowId: number | null) => Promise<string | null>;
  /** None where the user chose nothing. */
  readonly chooseOpenFiles?: (options: OpenFileOptions, windowId: number | null) => Promise<readonly string[]>;
  readonly showInFolder?: (path: string) => Promise<void>;
  /** @throws where the address is not one of the allowed ones */
  readonly openExternal?: (url: string) => Promise<void>;
  readonly newWindow?: () => Promise<void>;
  /** Shown by the system where no window of the program is in front. */
  readonly notify?: (title: string, text: string) => void;
  /** Share of all work under way, 0 to 1; null where there is none. */
  readonly showProgress?: (share: number | null) => void;
  readonly useTheme?: (theme: "system" | "light" | "dark") => void;
  /** Path on the shell's own origin under which it serves a file of the exports folder. */
  readonly downloadHref?: (exportId: string, name: string) => string;
}

export interface SaveFileOptions {
  readonly suggestedName: string;
  readonly extensions: readonly string[];
}

export interface OpenFileOptions {
  /** Without the dot. Other files can be chosen all the same. */
  readonly extensions: readonly string[];
  /** Folders are chosen instead. */
  readonly isFolder: boolean;
}

/** The embedded reference service, running. Its key is made for this run and kept nowhere. */
export interface DemoService {
  readonly url: string;
  readonly apiKey: string;
  close(): Promise<void>;
}

/** What the application needs from whatever shell it runs in. */
export interface Ports {
  /** Folder of user.db and the cache files; made where it does not exist. */
  readonly dataFolder: string;
  /** Whether its process never runs another core beside this one: what an earlier core there was bringing, nobody brings. */
  readonly isOnlyCore?: boolean;
  /** Of a cache that cannot be written to, a copy that can; set by the application itself. */
  readonly copyOfCache?: (path: string) => CacheCopy | null;
  readonly secrets: SecretStore;
  readonly startDemo: () => Promise<DemoService>;
  /** Absent: undici. */
  readonly transport?: Transport;
  readonly clock?: Clock;
  /** How long an outage of a service is waited for. Absent: jobs wait until it ends, a person for a few seconds. */
  readonly patience?: Patience;
  /** Absent: no desktop at all, as for the command line. */
  readonly desktop?: Desktop;
}
