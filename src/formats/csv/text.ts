/**
 * A text as a field by RFC 4180. One that a spreadsheet would run as a formula (it begins with `= + - @`, a tab or a
 * carriage return) gets an apostrophe in front; fields that are numbers never come here.
 */
export function csvField(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A text as `csvField` has it, a number as it is, and nothing where there is no value. */
export function fieldText(value: string | number | null): string {
  return typeof value === "string" ? csvField(value) : value === null ? "" : String(value);
}
