import { createHash } from "node:crypto";

interface QueryBody {
  readonly start_time: string;
  readonly end_time: string;
  readonly station_ids: readonly string[];
  readonly data_vars: readonly string[];
  readonly interval_seconds?: number;
  readonly raw?: boolean;
}

/** A key for a request by its meaning: equivalent requests of different clients get the same recording. */
export function recordingKey(method: string, url: string, body: string): string {
  return createHash("sha256")
    .update(`${method} ${url} ${body === "" ? "" : meaning(JSON.parse(body) as QueryBody)}`)
    .digest("hex");
}

function meaning({ start_time, end_time, station_ids, data_vars, interval_seconds, raw }: QueryBody): string {
  const range = [Date.parse(start_time), Date.parse(end_time)];
  return JSON.stringify([...range, station_ids.toSorted(), data_vars.toSorted(), interval_seconds ?? 0, raw ?? false]);
}
