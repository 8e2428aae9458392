import { many } from "../text.ts";
import type { ScheduleRun } from "./run.ts";

const STATES: Readonly<Record<ScheduleRun["state"], string>> = {
  running: "Running",
  ok: "Complete",
  incomplete: "Incomplete",
  failed: "Failed",
  stopped: "Stopped",
  interrupted: "Interrupted",
};

/** How a run ended, in a word. */
export function runStateWords({ state }: Pick<ScheduleRun, "state">): string {
  return STATES[state];
}

/** What a run did, in a line: `Complete: 2,880 rows downloaded, 2 files written.` */
export function runWords(run: ScheduleRun): string {
  const { reason, rows, files, forgottenRows, missing } = run;
  if (run.state === "running") return "Running";
  const stations = missing.filter((m) => m.state === "failed" || m.state === "forbidden");
  const withheld = stations.reduce((sum, m) => sum + m.stations, 0);
  const figures = [
    rows === 0 ? "no new rows" : `${many(rows, "row")} downloaded`,
    ...(files.length > 0 ? [`${many(files.length, "file")} written`] : []),
    ...(forgottenRows > 0 ? [`${many(forgottenRows, "old row")} deleted from the cache`] : []),
    ...(withheld > 0 ? [`parts of ${many(withheld, "station")} withheld`] : []),
  ];
  return `${STATES[run.state]}: ${reason ?? `${figures.join(", ")}.`}`;
}
