/** A key that is there and may not be used. `message` is a sentence for the user; it never holds the key. */
export class SecretError extends Error {
  override readonly name = "SecretError";
}
