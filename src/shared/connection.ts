/**
 * How the key of a connection is kept: `protected` by the system's secret store, in a `file` only its owner can read,
 * for the `session` (until the program ends), or not at all (`none`).
 */
export type KeyKept = "protected" | "file" | "session" | "none";

/** Id of the connection that windows show opened files in where no service is connected: its cache stays empty. */
export const FILES_CONNECTION_ID = "opened-files";

/** A connection as a user sees it; whether there is a key, never the key. */
export interface ConnectionInfo {
  readonly id: string;
  readonly name: string;
  /** Empty where a file does not tell it. */
  readonly baseUrl: string;
  /** `file`: its data came in a file from somebody else; they are read only, and there is no key. */
  readonly kind: "service" | "demo" | "file";
  readonly hasKey: boolean;
  readonly keyKept: KeyKept;
  /** Why it cannot be opened, and what to do, in a sentence, where what is kept of it is damaged. */
  readonly damage?: string;
}
