const THOUSANDS = /^[-+]?\d{1,3}(,\d{3})+(\.\d*)?$/;

/** Parses a number with a decimal point or comma, with or without thousands separators; null for anything else. */
export function parseNumber(text: string): number | null {
  const plain = text.trim().replace("−", "-");
  const tidy = THOUSANDS.test(plain) ? plain.replaceAll(",", "") : plain.replace(",", ".");
  // Number() would also accept 0x10, and read an empty text as 0.
  if (!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(tidy)) return null;
  const value = Number(tidy);
  return Number.isFinite(value) ? value : null;
}
