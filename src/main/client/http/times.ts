import type { UtcMs } from "#shared/time/utc.ts";

const HTTP_DATE = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /i;
/** Maximum wait, whatever the service requests. */
const MAX_WAIT_MS = 600_000;

/** Parses an HTTP date in any of its three forms; null for any other text, most of which `Date.parse` alone would accept. */
export function parseHttpDate(text: string | undefined): UtcMs | null {
  if (text === undefined || !HTTP_DATE.test(text.trim())) return null;
  const form = text.trim();
  // The asctime form names no zone and would be read in the zone of this computer.
  const moment = Date.parse(/(?:GMT|UTC|[+-]\d{4})$/i.test(form) ? form : `${form} GMT`);
  return Number.isNaN(moment) ? null : moment;
}

/**
 * Returns the wait that `Retry-After` requests, between 0 and ten minutes. A date is taken relative to the server's own
 * clock if its `Date` header is known, because this computer's may be off by a day.
 *
 * @returns milliseconds; null if the header is missing or unreadable
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
  return Number.isNaN(waitMs) ? null : Math.min(MAX_WAIT_MS, Math.max(0, waitMs));
}
