import type { UtcMs } from "#shared/time/utc.ts";

const HTTP_DATE = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /i;
/** Nobody waits longer for one answer, whatever the service asks. */
const MOST_WAIT_MS = 600_000;

/** An HTTP date in any of its three forms; null where the text is none. `Date.parse` alone reads almost anything. */
export function parseHttpDate(text: string | undefined): UtcMs | null {
  if (text === undefined || !HTTP_DATE.test(text.trim())) return null;
  const form = text.trim();
  // The asctime form names no zone and would be read in the zone of this computer.
  const moment = Date.parse(/(?:GMT|UTC|[+-]\d{4})$/i.test(form) ? form : `${form} GMT`);
  return Number.isNaN(moment) ? null : moment;
}

/**
 * How long `Retry-After` asks to wait, within 0 and ten minutes. A date is taken relative to the server's own clock
 * where its `Date` header tells that, since ours may be off by a day.
 *
 * @returns milliseconds, or null where the header is missing or unreadable
 */
export function parseRetryAfter(
  text: string | undefined,
  serverTimeMs: UtcMs | null,
  localTimeMs: UtcMs,
): number | null {
  if (text === undefined) return null;
  const form = text.trim();
  const waitMs = /^[+-]?\d+(?:\.\d+)?(?:e\d+)?$/i.test(form)
    ? Number(form) * 1_000
    : (parseHttpDate(form) ?? Number.NaN) - (serverTimeMs ?? localTimeMs);
  return Number.isNaN(waitMs) ? null : Math.min(MOST_WAIT_MS, Math.max(0, waitMs));
}
