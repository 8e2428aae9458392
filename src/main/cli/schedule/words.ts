import { formatUtcShort, type UtcMs } from "#shared/time/utc.ts";

/** `2026-11-24 06:30` */
export function minuteWords(momentMs: UtcMs): string {
  return formatUtcShort(momentMs).slice(0, 16).replace("T", " ");
}
