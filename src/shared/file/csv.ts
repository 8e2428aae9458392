// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const UNSEEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** What a field can hold: text, a number as it is, or nothing. */
export type CsvCell = string | number | null;

/**
 * A text as a field by RFC 4180. One that a spreadsheet would run as a formula (it begins with `= + - @`, a tab or a
 * carriage return) gets an apostrophe in front. Signs that turn the direction of the text around them, and control
 * characters but tabs and ends of lines, are left out: they would show a line in another order than it is, or end it for
 * some readers.
 */
export function csvField(text: string): string {
  const plain = text.replaceAll(UNSEEN, "");
  const safe = /^[=+\-@\t\r]/.test(plain) ? `'${plain}` : plain;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Writes the fields of a line. Numbers have all their digits; null and NaN are empty fields. */
export function csvLine(cells: readonly CsvCell[]): string {
  return cells.map(cell).join(",");
}

/** A table by RFC 4180. */
export function csvOf(head: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return `${[head, ...rows].map(csvLine).join("\r\n")}\r\n`;
}

function cell(value: CsvCell): string {
  if (typeof value === "string") return csvField(value);
  return value === null || Number.isNaN(value) ? "" : String(value);
}
