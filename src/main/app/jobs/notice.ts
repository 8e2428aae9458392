import { count, many } from "#shared/text.ts";
import type { RunEnd } from "./run.ts";

/** What the system tells of the end of a download; null where it only waits, or the user stopped it. */
export function noticeOf({ record, state, outcome }: RunEnd): { readonly title: string; readonly text: string } | null {
  const { stationIds } = record.spec;
  const stations = many(stationIds.length, "station");
  if (state === "finished") {
    const failed = new Set(outcome.failures.map((f) => f.stationId)).size;
    const rest = failed === 0 ? "" : ` Parts of ${count(failed)} could not be had.`;
    return {
      title: "Download finished",
      text: `${many(record.counters?.rows ?? outcome.progress.rows, "row")} of ${stations}.${rest}`,
    };
  }
  if (state === "needsKey" || state === "broken")
    return { title: "Download stopped", text: outcome.reason ?? "The service cannot be used." };
  return null;
}
