/** Text as plain ASCII on one line: accents dropped, anything else beyond ASCII as a question mark. */
export function asciiText(text: string): string {
  return text
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/[^\x20-\x7E]/gu, "?")
    .trim();
}

/** Cut or filled with spaces to exactly `width`. */
export function column(text: string, width: number): string {
  return asciiText(text).slice(0, width).padEnd(width);
}

/** A number with a fixed number of decimals, right-aligned; −999 says that there is none. */
export function numberColumn(value: number | null, width: number, decimals: number): string {
  const text = value === null || !Number.isFinite(value) ? (-999).toFixed(decimals) : value.toFixed(decimals);
  return text.slice(0, width).padStart(width);
}

/** Longest line of the format, with its blank at the beginning. */
const LINE_CHARACTERS = 80;

/** A text as lines that the format has room for, broken between words where it can be. */
export function wrapped(text: string): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest.length >= LINE_CHARACTERS) {
    const space = rest.lastIndexOf(" ", LINE_CHARACTERS - 1);
    const end = space > 0 ? space : LINE_CHARACTERS - 1;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest];
}
