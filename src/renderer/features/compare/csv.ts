/** A field of a table that is saved: text, a number as it is, or nothing. */
export type Field = string | number | null;

/** A table by RFC 4180: every digit of a number, an empty field where there is none. */
export function csvOf(head: readonly string[], rows: readonly (readonly Field[])[]): string {
  return `${[head, ...rows].map((row) => row.map(field).join(",")).join("\r\n")}\r\n`;
}

/** A text that a spreadsheet would run as a formula gets an apostrophe in front, as in all our CSV files. */
function field(value: Field): string {
  if (value === null) return "";
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "";
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
