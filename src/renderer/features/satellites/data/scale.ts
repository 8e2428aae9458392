/** The scale of C/N0 is the same in every figure, so that pictures can be compared. Values beyond take the last colour. */
export const SCALE_LOW_DB_HZ = 25;
export const SCALE_HIGH_DB_HZ = 55;
export const SCALE_TICKS_DB_HZ: readonly number[] = [25, 35, 45, 55];

/** The place of a value among so many colours; -1 of no value. */
export function scaleIndex(dbHz: number, colours: number): number {
  if (Number.isNaN(dbHz)) return -1;
  const share = (dbHz - SCALE_LOW_DB_HZ) / (SCALE_HIGH_DB_HZ - SCALE_LOW_DB_HZ);
  return Math.max(0, Math.min(colours - 1, Math.floor(share * colours)));
}
