import type { Transport } from "./client/types.ts";
import type { Clock } from "./sync/clock.ts";

/** Where API keys are kept: the operating system's secret store, or a file only its owner can read. */
export interface SecretStore {
  get(connectionId: string): Promise<string | null>;
  set(connectionId: string, key: string): Promise<void>;
  delete(connectionId: string): Promise<void>;
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
  readonly secrets: SecretStore;
  readonly startDemo: () => Promise<DemoService>;
  /** Absent: undici. */
  readonly transport?: Transport;
  readonly clock?: Clock;
}
