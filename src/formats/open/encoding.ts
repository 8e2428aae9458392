/** Bytes of a text, decoded as Latin-1, that are no ASCII. */
const OTHER_THAN_ASCII = /[\u0080-\u00ff]/;

/** Whether bytes are the same in all encodings. */
export function isAscii(latin1: string): boolean {
  return !OTHER_THAN_ASCII.test(latin1);
}

/**
 * Decodes the bytes of texts, which are given as Latin-1, as UTF-8 without a byte order mark. Texts that are no valid UTF-8
 * are Windows-1252, which spreadsheets write.
 */
export class TextBytes {
  readonly #utf8 = new TextDecoder("utf-8", { fatal: true });
  readonly #windows = new TextDecoder("windows-1252");
  #isOther = false;

  decode(latin1: string): string {
    if (isAscii(latin1)) return latin1;
    const bytes = Buffer.from(latin1, "latin1");
    try {
      return this.#utf8.decode(bytes);
    } catch {
      this.#isOther = true;
      return this.#windows.decode(bytes);
    }
  }

  /** Sentences about what was assumed so far. */
  remarks(): string[] {
    return this.#isOther ? ["Texts that are not UTF-8 are read as Windows-1252 (Latin-1)."] : [];
  }
}
