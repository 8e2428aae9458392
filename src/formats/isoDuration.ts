import { DAY_MS, HOUR_MS, MINUTE_MS } from "#shared/time/utc.ts";

/** A length of time by ISO 8601, without months and years, whose length varies: `P31D`, `PT30S`, `P1DT0.5S`. */
export function isoDuration(ms: number): string {
  const days = Math.floor(ms / DAY_MS);
  const hours = Math.floor((ms % DAY_MS) / HOUR_MS);
  const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS);
  const seconds = (ms % MINUTE_MS) / 1000;
  const time = `${hours ? `${hours}H` : ""}${minutes ? `${minutes}M` : ""}${seconds ? `${seconds}S` : ""}`;
  if (days === 0 && time === "") return "PT0S";
  return `P${days ? `${days}D` : ""}${time ? `T${time}` : ""}`;
}
