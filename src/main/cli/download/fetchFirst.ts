import { stationLabels } from "#shared/service/catalogue.ts";
import type { JobSpec } from "#shared/job/job.ts";
import type { Verdict } from "#shared/job/verdict.ts";
import type { OpenConnection } from "../../app/connections/connections.ts";
import { isComplete } from "../../app/exports/complete.ts";
import type { FinishedJob } from "../../app/jobs/jobs.ts";
import { download } from "./download.ts";
import { EXIT, type ExitCode, Stop } from "../exit.ts";
import type { Shell } from "../shell.ts";
import { isIncomplete, summarise } from "./summary.ts";
import { visible } from "../terminal/text.ts";

/** What was brought before a file is written. */
export interface Fetched {
  readonly requestsSent: number;
  readonly rows: number;
  /** `incomplete` where the service withheld some of it. */
  readonly exitCode: ExitCode;
}

const NOTHING_SENT: Fetched = { requestsSent: 0, rows: 0, exitCode: EXIT.ok };
const KEPT = "Nothing was written. Received data are kept: run the same command to continue.";

/**
 * Brings what the cache lacks, as “fetch” does, and says in a line what the service withheld.
 *
 * @throws Stop where the download did not come to its end, or brought nothing but failures: a file would be one of holes
 */
export async function fetchMissing(shell: Shell, connection: OpenConnection, spec: JobSpec): Promise<Fetched> {
  const { jobs } = await shell.app();
  if (isComplete(jobs, connection, spec)) return NOTHING_SENT;
  const { finished } = await download(shell, connection, (run) => jobs.run(connection, spec, run));
  const { state, progress, reason } = finished.outcome;
  if (state === "cancelled") throw new Stop(EXIT.interrupted, `Stopped. ${KEPT}`);
  if (state !== "finished")
    throw new Stop(
      state === "needsKey" ? EXIT.key : EXIT.service,
      `${reason ?? "The service cannot be used."} ${KEPT}`,
    );
  const failed = finished.verdicts.find((v) => v.state === "failed");
  if (failed && progress.rows === 0)
    throw new Stop(EXIT.service, `${failed.reason ?? "The service did not answer."} ${KEPT}`);
  const { requestsSent, rows } = progress;
  if (!isIncomplete(finished.verdicts)) return { requestsSent, rows, exitCode: EXIT.ok };
  shell.output.warn(withheld(connection, finished, spec));
  return { requestsSent, rows, exitCode: EXIT.incomplete };
}

function isWithheld({ state }: Verdict): boolean {
  return state === "failed" || state === "forbidden";
}

function withheld({ cache }: OpenConnection, { verdicts }: FinishedJob, { range }: JobSpec): string {
  const names = stationLabels(cache.catalogue());
  const stations = summarise(verdicts.filter(isWithheld), range).map(
    ({ stationId, verdict }) => `“${visible(names.get(stationId) ?? stationId)}” (${verdict})`,
  );
  return `The service withheld some of the data; the description beside the file lists them: ${stations.join("; ")}.`;
}
