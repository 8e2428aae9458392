import type { Capabilities, KeyProtection } from "#shared/bridge/methods/system.ts";
import type { Transport } from "./client/types.ts";
import type { Clock } from "./sync/clock.ts";
import type { Patience } from "./sync/session.ts";

/** Stores API keys: in the operating system's secret store, or in a file only its owner can read. */
export interface SecretStore {
  get(connectionId: string): Promise<string | null>;
  set(connectionId: string, key: string): Promise<void>;
  delete(connectionId: string): Promise<void>;
  /** How keys are protected, see `Capabilities.keys`; `session`: only in memory. */
  protection(): Promise<KeyProtection>;
  /** Like `protection`, as far as it is known without making the system prompt the user. */
  expectedProtection?(): Promise<Capabilities["keys"]>;
}

/** The desktop around the windows. Functions are absent if the capabilities say that the shell lacks them. */
export interface Desktop {
  readonly capabilities: Omit<Capabilities, "keys" | "timeZone">;
  /** Names and versions of the shell's components. */
  readonly components: readonly { readonly name: string; readonly version: string }[];
  /** Null if the user cancelled. */
  readonly chooseSaveFile?: (options: SaveFileOptions, windowId: number | null) => Promise<string | null>;
  /** Null if the user cancelled. */
  readonly chooseFolder?: (windowId: number | null) => Promise<string | null>;
  /** Empty if the user cancelled. */
  readonly chooseOpenFiles?: (options: OpenFileOptions, windowId: number | null) => Promise<readonly string[]>;
  readonly showInFolder?: (path: string) => Promise<void>;
  /** @throws if the address is not allowed */
  readonly openExternal?: (url: string) => Promise<void>;
  readonly newWindow?: () => Promise<void>;
  /** Shows a system notification unless a window of the program has the focus. */
  readonly notify?: (title: string, text: string) => void;
  /** Progress of all current work, 0 to 1; null without any. */
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
  /** Without the dot. The user can choose other files too. */
  readonly extensions: readonly string[];
  /** Whether to choose folders instead. */
  readonly isFolder: boolean;
}

/** The running embedded reference service. Its key is created for this run and not stored. */
export interface DemoService {
  readonly url: string;
  readonly apiKey: string;
  close(): Promise<void>;
}

/** What the application needs from its shell. */
export interface Ports {
  /** Folder of user.db and the cache files; created if it does not exist. */
  readonly dataFolder: string;
  readonly secrets: SecretStore;
  readonly startDemo: () => Promise<DemoService>;
  /** Default: undici. */
  readonly transport?: Transport;
  readonly clock?: Clock;
  /** How long to wait for an outage of a service. Default: jobs wait until it ends, users for a few seconds. */
  readonly patience?: Patience;
  /** Absent without a desktop, as in the command line. */
  readonly desktop?: Desktop;
}
