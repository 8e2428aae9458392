/** Longest name in bytes of UTF-8: file systems take 255, and there must be room for a number and an ending. */
export const MAX_NAME_BYTES = 120;

/** Names that Windows keeps for devices, whatever follows after a dot. */
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9¹²³]|lpt[0-9¹²³]) *(\.|$)/i;

/**
 * A name for a file (without folder and ending) that every desktop system takes, made from any text: a station name, for
 * example. Letters of all scripts stay; what is not allowed somewhere, or does not show (controls, bidirectional
 * overrides, zero-width characters), becomes an underscore or goes. Never empty, never more than 120 bytes.
 */
export function portableFileName(text: string, fallback = "export"): string {
  // No name keeps more than MAX_NAME_BYTES characters, so that a megabyte need not be looked at.
  const visible = text
    .slice(0, 4 * MAX_NAME_BYTES)
    .toWellFormed()
    .normalize("NFC")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\uFFFD]/gu, "")
    .replaceAll(/[<>:"/\\|?*]/g, "_")
    .replaceAll(/[\p{Z}\s]+/gu, " ");
  const trimmed = trimEnds(cutToBytes(trimEnds(visible), MAX_NAME_BYTES));
  if (trimmed === "") return fallback;
  return RESERVED.test(trimmed) ? `_${trimmed}` : trimmed;
}

/** Windows drops dots and spaces at the end; a dot at the beginning hides a file; a dash looks like an option. */
function trimEnds(text: string): string {
  return text.replace(/^[\s.\-~]+/, "").replace(/[\s.]+$/, "");
}

/** Bytes of a text as UTF-8. */
export function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** The beginning of a text that takes at most so many bytes as UTF-8, cut between characters. */
export function cutToBytes(text: string, max: number): string {
  let bytes = 0;
  let kept = "";
  for (const character of text) {
    bytes += utf8Bytes(character);
    if (bytes > max) break;
    kept += character;
  }
  return kept;
}
