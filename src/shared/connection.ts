/**
 * How the key of a connection is stored: `protected` by the system's secret store, in a `file` only its owner can read,
 * for the `session` (until the program ends), or not at all (`none`).
 */
export type KeyStorage = "protected" | "file" | "session" | "none";

/** Id of the connection for opened files if no service is connected; its cache stays empty. */
export const FILES_CONNECTION_ID = "opened-files";

/** A connection without its key. */
export interface ConnectionInfo {
  readonly id: string;
  readonly name: string;
  /** Empty if a session file does not contain it. */
  readonly baseUrl: string;
  /** `file`: read-only data of a session file, without a key. */
  readonly kind: "service" | "demo" | "file";
  readonly hasKey: boolean;
  readonly keyKept: KeyStorage;
  /** If its stored record is damaged: why it cannot be opened and what to do, in a sentence. */
  readonly damage?: string;
}
