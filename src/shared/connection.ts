/** A connection as a user sees it; whether there is a key, never the key. */
export interface ConnectionInfo {
  readonly id: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly kind: "service" | "demo";
  readonly hasKey: boolean;
}
