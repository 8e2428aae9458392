import { stationLabels } from "#shared/service/catalogue.ts";
import type { JobSpec } from "#shared/job/job.ts";
import type { Verdict } from "#shared/job/verdict.ts";
import type { OpenConnection } from "../../app/connections/connections.ts";
import { isComplete } from "../../app/exports/fetchFirst.ts";
import type { FinishedJob } from "../../app/jobs/jobs.ts";
import { download } from "./download.ts";
import { EXIT, type ExitCode, Stop } from "../exit.ts";
import type { Shell } from "../shell.ts";
import { isIncomplete, summarise } from "./summary.ts";
import { visible } from "../terminal/text.ts";

/** Result of a download before a file is written. */
export interface Fetched {
  readonly requestsSent: number;
  readonly rows: number;
  /** `incomplete` if parts were refused or failed. */
  readonly exitCode: ExitCode;
}

const NOTHING_SENT: Fetched = { requestsSent: 0, rows: 0, exitCode: EXIT.ok };
const CONTINUE_HINT = "Nothing was written. Received data are kept: run the same command to continue.";

/**
 * Downloads missing data, as “fetch” does, and warns about parts that were refused or failed.
 *
 * @throws Stop if the download did not finish, or only failed: the file would contain only gaps
 */
export async function fetchMissing(shell: Shell, connection: OpenConnection, spec: JobSpec): Promise<Fetched> {
  const { jobs } = await shell.app();
  if (isComplete(jobs, connection, spec)) return NOTHING_SENT;
  const { finished } = await download(shell, connection, (run) => jobs.run(connection, spec, run));
  const { state, progress, reason } = finished.outcome;
  if (state === "cancelled") throw new Stop(EXIT.interrupted, `Stopped. ${CONTINUE_HINT}`);
  if (state !== "finished")
    throw new Stop(
      state === "needsKey" ? EXIT.key : EXIT.service,
      `${reason ?? "The service cannot be used."} ${CONTINUE_HINT}`,
    );
  const failed = finished.verdicts.find((v) => v.state === "failed");
  if (failed && progress.rows === 0)
    throw new Stop(EXIT.service, `${failed.reason ?? "The service did not answer."} ${CONTINUE_HINT}`);
  const { requestsSent, rows } = progress;
  if (!isIncomplete(finished.verdicts)) return { requestsSent, rows, exitCode: EXIT.ok };
  shell.output.warn(incompleteWarning(connection, finished, spec));
  return { requestsSent, rows, exitCode: EXIT.incomplete };
}

function isRefusedOrFailed({ state }: Verdict): boolean {
  return state === "failed" || state === "forbidden";
}

function incompleteWarning({ cache }: OpenConnection, { verdicts }: FinishedJob, { range }: JobSpec): string {
  const names = stationLabels(cache.catalogue());
  const stations = summarise(verdicts.filter(isRefusedOrFailed), range).map(
    ({ stationId, verdict }) => `“${visible(names.get(stationId) ?? stationId)}” (${verdict})`,
  );
  return `Some of the data could not be downloaded, and the file lacks what is not cached: ${stations.join("; ")}.`;
}
