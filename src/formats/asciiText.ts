import anyAscii from "any-ascii";

/** Transliterates a text to printable ASCII on one line, for formats that hold nothing else: “Ålesund Øst” becomes “Alesund Ost”. */
export function asciiText(text: string): string {
  return anyAscii(text)
    .replaceAll(/\s+/g, " ")
    .replaceAll(/[^\x20-\x7E]/g, "")
    .trim();
}
