import { DAY_MS, type UtcMs } from "#shared/time/utc.ts";

/** A moment as `YYYY:DDD:SSSSS`: year, day of the year, second of the day. */
export class EpochText {
  #dayStartMs = Number.NaN;
  #day = "";

  /** @param moment a whole second */
  text(moment: UtcMs): string {
    let rest = moment - this.#dayStartMs;
    if (!(rest >= 0 && rest < DAY_MS)) {
      this.#dayStartMs = Math.floor(moment / DAY_MS) * DAY_MS;
      const year = new Date(this.#dayStartMs).getUTCFullYear();
      const dayOfYear = (this.#dayStartMs - Date.UTC(year, 0, 1)) / DAY_MS + 1;
      this.#day = `${String(year).padStart(4, "0")}:${String(dayOfYear).padStart(3, "0")}:`;
      rest = moment - this.#dayStartMs;
    }
    return this.#day + String(Math.floor(rest / 1000)).padStart(5, "0");
  }
}
