export const DAY_MINUTES = 1_440;

function twoDigits(n: number): string {
  return String(n).padStart(2, "0");
}

/** Formats minutes after midnight as "06:30". */
export function clockTime(minutes: number): string {
  return `${twoDigits(Math.floor(minutes / 60) % 24)}:${twoDigits(minutes % 60)}`;
}

/** Parses "06:30" to minutes after midnight. */
export function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return 60 * hours + minutes;
}

/** The largest number of minutes that divides both. */
export function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}
