const EXAMPLES = "Write a time like 2026-11-14 08:00, 2026-11, 2026-325 (day of year), GPS 2446, now or now-7d.";
const DATE = /^(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2})(?:[t ] ?(\d{1,2})(?::(\d{1,2})(?::(\d{1,2}))?)?)?)?(?!\d)/;
const UNITS = "The units are s, min, h, d, w, mo (month) and y, as in now-7d.";
export const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** Returns the number of days of a month, 1 to 12. */
export function daysInMonth(year: number, month: number): number {
  const last = new Date(0);
  last.setUTCFullYear(year, month, 0);
  return last.getUTCDate();
}

/** Says what is wrong with a text that is not a time, as far as that is known, and how to write one. */
export function whyNoMoment(typed: string): string {
  const text = typed.trim().toLowerCase();
  return noDate(text) ?? noDayOfYear(text) ?? noOffset(text) ?? otherOrder(text) ?? EXAMPLES;
}

function noDate(text: string): string | null {
  const found = DATE.exec(text);
  if (!found) return null;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = found
    .slice(1)
    .map((digits) => (digits === undefined ? undefined : Number(digits)));
  const name = MONTHS[month - 1];
  if (name === undefined) return `There is no month ${month}: months are 01 to 12.`;
  const days = daysInMonth(year, month);
  if (day < 1 || day > days) return `There is no day ${day}: ${name} ${year} has ${days} days.`;
  if (hour === 24) return "There is no hour 24: write 00:00 of the next day.";
  if (hour > 24) return `There is no hour ${hour}: hours are 00 to 23.`;
  if (minute > 59) return `There is no minute ${minute}: minutes are 00 to 59.`;
  return second > 59 ? `There is no second ${second} here: seconds are 00 to 59.` : null;
}

function noDayOfYear(text: string): string | null {
  const [, year, day] = /^(\d{4})[-/.](\d{3})$/.exec(text) ?? [];
  if (year !== undefined) {
    const days = 337 + daysInMonth(Number(year), 2);
    const isDay = Number(day) >= 1 && Number(day) <= days;
    return isDay ? null : `There is no day ${Number(day)} of ${year}: that year has ${days} days.`;
  }
  const weekday = /^gps ?(?:week )?\d{1,5}[/.: ](\d+)$/.exec(text)?.[1];
  return weekday === undefined ? null : `There is no day ${weekday} of a GPS week: days are 0 (Sunday) to 6.`;
}

function noOffset(text: string): string | null {
  const [, digits, unit] = /^(?:now)? ?[+-] ?(\d[\d.]*) ?([a-z]*)$/.exec(text) ?? [];
  if (unit === undefined) return null;
  if (/^(mo|month|y|year)/.test(unit) && digits?.includes(".")) return "Write whole months, as in now-18mo.";
  return unit === "" ? `The number has no unit. ${UNITS}` : UNITS;
}

function otherOrder(text: string): string | null {
  return /^\d{1,2}[-/.]\d{1,2}[-/.]\d{4}/.test(text) ? "Write the year first, as in 2026-11-14." : null;
}
