function two(n: number): string {
  return String(n).padStart(2, "0");
}

/** "06:30" of minutes after midnight. */
export function clockTime(minutes: number): string {
  return `${two(Math.floor(minutes / 60) % 24)}:${two(minutes % 60)}`;
}

/** Minutes after midnight of "06:30". */
export function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return 60 * hours + minutes;
}
