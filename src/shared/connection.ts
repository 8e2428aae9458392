/**
 * How the key of a connection is kept: `protected` by the system's secret store, in a `file` only its owner can read,
 * for the `session` (until the program ends), or not at all (`none`).
 */
export type KeyKept = "protected" | "file" | "session" | "none";

/** A connection as a user sees it; whether there is a key, never the key. */
export interface ConnectionInfo {
  readonly id: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly kind: "service" | "demo";
  readonly hasKey: boolean;
  readonly keyKept: KeyKept;
}
