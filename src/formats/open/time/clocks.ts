import { DAY_MS, HOUR_MS } from "#shared/time/utc.ts";
import { type Columns, hasClock, timesOf } from "./columns.ts";
import type { SampleTable } from "./ofDay.ts";
import { scaleInHeading } from "./scale.ts";

/** Columns of clock times that may tell the time of day of dates which have none, whatever their names. */
export function clocksBeside(table: SampleTable, used: Columns): number[] {
  const times = timesOf(table, used);
  if (times.length === 0 || times.some((ms) => ms % DAY_MS > 0)) return [];
  const isFree = (at: number): boolean => ![...used.values()].includes(at) && hasClock(table, at);
  return [...table.names.keys()].filter((at) => isFree(at) && table.rows.some((row) => /[1-9]/.test(row[at] ?? "")));
}

/**
 * A column of clock times in another zone than the used ones, of which the dates may be; -1 without one, if the dates are the
 * same in both, or if only the used times are in order.
 *
 * @param isWhole whether the rows are all those of the file
 */
export function otherClock(table: SampleTable, used: Columns, isWhole: boolean): number {
  const clock = used.get("clock") ?? -1;
  const zones = table.names.map((name) => scaleInHeading(name)[0]?.text);
  const own = timesOf(table, used);
  return table.names.findIndex((_, at) => {
    if (clock < 0 || zones[at] === undefined || zones[at] === zones[clock] || !hasClock(table, at)) return false;
    const other = timesOf(table, new Map([...used, ["clock", at] as const]));
    if (isInOrder(own) !== isInOrder(other)) return isInOrder(other);
    return !isWhole || own.some((ms, i) => mayBeAnotherDay(ms % DAY_MS, (other[i] ?? Number.NaN) % DAY_MS));
  });
}

function isInOrder(times: readonly number[]): boolean {
  return times.every((ms, i) => i === 0 || !(ms < (times[i - 1] ?? Number.NaN)));
}

/** Whether two times of day may be of one moment on two days, in zones from 12 h behind to 14 h ahead. */
function mayBeAnotherDay(ofDayMs: number, otherMs: number): boolean {
  const aheadMs = (otherMs - ofDayMs + DAY_MS) % DAY_MS;
  return [aheadMs, aheadMs - DAY_MS].some(
    (ms) => ms >= -12 * HOUR_MS && ms <= 14 * HOUR_MS && ofDayMs + ms !== otherMs,
  );
}
