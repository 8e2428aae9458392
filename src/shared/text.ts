// Numbers as every window, file note and command line writes them: thousands apart.

const COUNT = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });

/** "1,204,300" */
export function count(n: number): string {
  return COUNT.format(n);
}

/** "1 station", "3 stations", "1,200 oddities" */
export function many(n: number, thing: string, plural = `${thing}s`): string {
  return `${count(n)} ${n === 1 ? thing : plural}`;
}

/** "812", "1.2k", "98k": where there is room for four signs. */
export function shortCount(n: number): string {
  // 9,960 would be written with more digits than 10,000.
  return n < 1_000 ? count(n) : `${decimal(n / 1_000, n < 9_950 ? 1 : 0)}k`;
}

const DECIMALS = new Map<string, Intl.NumberFormat>();

/**
 * "2,411.3", "−0.25"; a dash for no number.
 *
 * @param digits after the point
 * @param mostDigits shown where they are not zeros
 */
export function decimal(value: number, digits: number, mostDigits = digits): string {
  if (!Number.isFinite(value)) return "–";
  const key = `${digits} ${mostDigits}`;
  let format = DECIMALS.get(key);
  if (!format) {
    // Minus zero is a zero that was rounded.
    const options = {
      minimumFractionDigits: digits,
      maximumFractionDigits: mostDigits,
      signDisplay: "negative",
    } as const;
    DECIMALS.set(key, (format = new Intl.NumberFormat("en-GB", options)));
  }
  return format.format(value).replace("-", "−");
}

/** Text between the tags of XML or HTML, or in the quotes of an attribute. */
export function escapeXml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
