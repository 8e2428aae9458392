import type { Schedule } from "./schedule.ts";

/** Whether two schedules have the same settings. */
export function isSameSchedule(a: Schedule, b: Schedule): boolean {
  return Object.keys(changesBetween(a, b)).length === 0;
}

/**
 * Returns the current settings with the changes of an edit, which keeps what another window or a command changed in the
 * meantime.
 *
 * @param before settings when the edit began
 */
export function withEdit(current: Schedule, before: Schedule, edited: Schedule): Schedule {
  const changes = changesBetween(before, edited);
  // Stations are those of a connection.
  const connection = "stations" in changes ? { connectionId: edited.connectionId } : {};
  return { ...current, ...changes, ...connection };
}

/** The settings of `after` that differ. */
function changesBetween(before: Schedule, after: Schedule): Partial<Schedule> {
  const old = new Map<string, unknown>(Object.entries(before));
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(old.get(name)),
  );
  return Object.fromEntries(changed);
}
