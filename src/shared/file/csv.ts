// oxlint-disable-next-line no-control-regex -- the pattern matches control characters on purpose
const INVISIBLE = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** Content of a field: text, a number, or nothing. */
export type CsvCell = string | number | null;

/**
 * Formats a text as a field by RFC 4180. A text that a spreadsheet would run as a formula (it begins with `= + - @`, a
 * tab or a carriage return) is prefixed with an apostrophe. Bidirectional control characters, which change the displayed
 * order of a line, and control characters other than tabs and line breaks, which end a line for some readers, are
 * removed.
 */
export function csvField(text: string): string {
  const plain = text.replaceAll(INVISIBLE, "");
  const safe = /^[=+\-@\t\r]/.test(plain) ? `'${plain}` : plain;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Formats a line without its line break. Numbers have all their digits; null and NaN are empty fields. */
export function csvLine(cells: readonly CsvCell[]): string {
  return cells.map(cell).join(",");
}

/** The columns of a table: for each name, the cell of an item. */
export type CsvColumns<Item> = Readonly<Record<string, (item: Item) => CsvCell>>;

export function csvRows<Item>(columns: CsvColumns<Item>, items: readonly Item[]): CsvCell[][] {
  const cells = Object.values(columns);
  return items.map((item) => cells.map((cellOf) => cellOf(item)));
}

/** Formats a table by RFC 4180. */
export function csvTable(head: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return `${[head, ...rows].map(csvLine).join("\r\n")}\r\n`;
}

function cell(value: CsvCell): string {
  if (typeof value === "string") return csvField(value);
  return value === null || Number.isNaN(value) ? "" : String(value);
}
