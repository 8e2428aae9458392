// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const UNSEEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/**
 * A text as a field by RFC 4180. One that a spreadsheet would run as a formula (it begins with `= + - @`, a tab or a
 * carriage return) gets an apostrophe in front; fields that are numbers never come here. Signs that turn the direction of
 * the text around them, and control characters but tabs and ends of lines, are left out: they would show a line in
 * another order than it is, or end it for some readers.
 */
export function csvField(text: string): string {
  const plain = text.replaceAll(UNSEEN, "");
  const safe = /^[=+\-@\t\r]/.test(plain) ? `'${plain}` : plain;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A text as `csvField` has it, a number as it is, and nothing where there is no value. */
export function fieldText(value: string | number | null): string {
  return typeof value === "string" ? csvField(value) : value === null ? "" : String(value);
}
