// Any value may be thrown, not only an `Error`.

export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Returns the error code of the system, Node or SQLite, such as “ENOENT”, or an empty string. */
export function codeOf(thrown: unknown): string {
  const code = (thrown as { readonly code?: unknown } | null | undefined)?.code;
  return typeof code === "string" ? code : "";
}
