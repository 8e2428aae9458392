import type { Coverage } from "#shared/series/rows.ts";
import { alignOutward, ceilToInterval, floorToInterval } from "#shared/time/interval.ts";
import { isEmpty, type TimeRange } from "#shared/time/range.ts";
import { difference, rangeSet, type RangeSet } from "#shared/time/rangeset.ts";
import type { UtcMs } from "#shared/time/utc.ts";

export interface AskableOptions {
  /** null asks for every observation. */
  readonly intervalSeconds: number | null;
  /** The server's clock, the latest it may show. A job takes it once, at its start: work that grows while it is done never ends. */
  readonly nowMs: UtcMs;
  /** Both as the catalogue tells them; a station without either has never sent anything. */
  readonly historicDataFromMs: UtcMs | null;
  readonly dataLastUpdatedMs: UtcMs | null;
}

export interface MissingOptions extends AskableOptions {
  /** How old a provisional answer may be before it is asked again. Milliseconds. */
  readonly maxAgeMs: number;
  /** The readings of the clock by which age is judged, all of them; `nowMs` alone where they are left out. */
  readonly agesMs?: readonly UtcMs[];
}

/**
 * The part of a requested range that is worth a request: grown to whole intervals, nothing before the station's first
 * observation, nothing from the server's now on. The interval that is running now belongs to it: its mean so far is
 * worth seeing, though never final (see `finalUntil`). Empty where nothing can be there.
 */
export function askableRange(requested: TimeRange, options: AskableOptions): TimeRange {
  const { intervalSeconds, historicDataFromMs } = options;
  const nothing = { startMs: requested.startMs, endMs: requested.startMs };
  if (isEmpty(requested) || (historicDataFromMs === null && options.dataLastUpdatedMs === null)) return nothing;
  const whole = intervalSeconds === null ? requested : alignOutward(requested, intervalSeconds);
  const first = historicDataFromMs ?? whole.startMs;
  const startMs = Math.max(whole.startMs, intervalSeconds === null ? first : floorToInterval(first, intervalSeconds));
  const now = intervalSeconds === null ? options.nowMs : ceilToInterval(options.nowMs, intervalSeconds);
  return { startMs, endMs: Math.max(startMs, Math.min(whole.endMs, now)) };
}

/**
 * What must be asked so that one series is complete in the requested range: the askable part of it, less what is final,
 * less what is provisional and still young, with the moments that have passed since. In an interval mode every range is of whole intervals, whatever the
 * coverage looks like, so that no mean is split.
 */
export function missingRanges(requested: TimeRange, coverage: Coverage, options: MissingOptions): RangeSet {
  const askable = askableRange(requested, options);
  if (isEmpty(askable)) return [];
  const young = coverage.provisional
    .filter((p) => isYoung(p.fetchedAtMs, options.agesMs ?? [options.nowMs], options.maxAgeMs))
    .map((p) => (isTail(p.range, askable, options) ? { ...p.range, endMs: askable.endMs } : p.range));
  const missing = difference([askable], rangeSet([...coverage.final, ...young]));
  const { intervalSeconds } = options;
  return intervalSeconds === null ? missing : rangeSet(missing.map((r) => alignOutward(r, intervalSeconds)));
}

// What has passed since a young answer that reached up to its own now is not asked yet: else every look at the newest
// data would send a request for the last few seconds.
function isTail(range: TimeRange, askable: TimeRange, options: MissingOptions): boolean {
  const sinceMs = askable.endMs - range.endMs;
  return sinceMs > 0 && sinceMs < options.maxAgeMs && askable.endMs >= options.nowMs;
}

/**
 * Whether an answer is young, by each of the readings of the clock. An answer from the future (a clock that was set back,
 * two servers that disagree by a second) is so only while the difference is small: else a wrong clock would keep an old
 * answer alive for ever.
 */
export function isYoung(fetchedAtMs: UtcMs, readingsMs: readonly UtcMs[], maxAgeMs: number): boolean {
  return readingsMs.every((nowMs) => Math.abs(nowMs - fetchedAtMs) < maxAgeMs);
}
