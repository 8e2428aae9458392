import type { RunEnd } from "./run.ts";
import { specOf } from "./view.ts";

/** What the system tells of the end of a download; null where it only waits, or the user stopped it. */
export function noticeOf({ record, state, outcome }: RunEnd): { readonly title: string; readonly text: string } | null {
  const { stationIds } = specOf(record);
  const stations = stationIds.length === 1 ? "1 station" : `${stationIds.length.toLocaleString("en")} stations`;
  if (state === "finished") {
    const failed = new Set(outcome.failures.map((f) => f.stationId)).size;
    const rest = failed === 0 ? "" : ` Parts of ${failed.toLocaleString("en")} could not be had.`;
    return {
      title: "Download finished",
      text: `${outcome.progress.rows.toLocaleString("en")} rows of ${stations}.${rest}`,
    };
  }
  if (state === "needsKey" || state === "broken")
    return { title: "Download stopped", text: outcome.reason ?? "The service cannot be used." };
  return null;
}
