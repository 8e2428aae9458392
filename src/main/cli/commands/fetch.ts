import type { App } from "../../app.ts";
import type { JobRecord } from "../../store/user/types.ts";
import { type Download, download, downloadDocument, report } from "../download/download.ts";
import type { OpenConnection } from "../../app/connections/connections.ts";
import { type ExitCode, usage } from "../exit.ts";
import { type SelectionOptions, STATION_WORDS } from "../options/options.ts";
import { readSelection } from "../options/selection.ts";
import type { Shell } from "../shell.ts";
import { addDownloadOptions } from "./plan.ts";
import { type AddCommand, examples } from "./types.ts";

interface FetchOptions extends SelectionOptions {
  readonly resume?: string | true;
}

export const addFetch: AddCommand = (program, run) => {
  const command = program
    .command("fetch")
    .summary("download measurements that the cache lacks")
    .description(
      "Downloads measurements that are not in the cache. Queries of any size are split into requests that the " +
        "service accepts; failed requests are retried, and the rate follows the service. At the end, every station " +
        "has a verdict: ok; empty (requested, and there is nothing); stale (may still change; requested again later); " +
        "forbidden; failed, with the reason. Ctrl+C stops cleanly: received data are kept, and --resume requests the " +
        "rest.",
    )
    .argument("[stations...]", STATION_WORDS)
    .option("--resume [job]", "resume an unfinished job; without an id, the latest one");
  addDownloadOptions(command)
    .addHelpText(
      "after",
      examples(
        ["fetch Kallio Torsvika --month 2026-10", "all observations of a month"],
        ["fetch network:NORDA --from 2026-01-01 --interval 1h", "hourly means of this year"],
        ["fetch Kallio --day 2026-10-05 --vars snr,el,az", "satellites of a day"],
        ["fetch --resume", "resumes the stopped job"],
      ),
    )
    .action(
      run(async (shell, words: string[], options: FetchOptions) => {
        if (options.resume !== undefined) return resume(shell, words, options.resume);
        if (words.length === 0)
          throw usage(
            "Name the stations: a name, an id, network:CODE, country:FI, group:NAME, near:LAT,LON,KM or all.",
          );
        const { jobs } = await shell.app();
        const connection = await shell.connection();
        const { spec } = await readSelection(shell, connection, words, options, "service");
        const done = await download(shell, connection, (run) => jobs.run(connection, spec, run));
        return conclude(shell, connection, { ...done, spec });
      }),
    );
};

async function resume(shell: Shell, words: readonly string[], id: string | true) {
  if (words.length > 0) throw usage("Do not name stations when you resume a job.");
  const app = await shell.app();
  const job = findJob(app, id);
  const record = app.connections.find(job.connectionId);
  if (!record) throw usage("The connection of this job was removed, and its cache with it.");
  const connection = await shell.open(record);
  if (job.damage !== undefined) throw usage(job.damage);
  const done = await download(shell, connection, (run) => app.jobs.resume(connection, job, run));
  return conclude(shell, connection, { ...done, spec: job.spec });
}

function conclude(shell: Shell, connection: OpenConnection, done: Download): ExitCode {
  shell.output.document(downloadDocument(shell, connection, done));
  return report(shell, connection, done);
}

function findJob({ jobs }: App, id: string | true): JobRecord {
  if (id !== true) {
    const job = jobs.find(id);
    if (job) return job;
    throw usage(`There is no job “${id}”. List them with “jobs”.`);
  }
  const [latest] = jobs
    .list(null)
    .filter((j) => j.state !== "finished")
    .toSorted((a, b) => b.updatedAtMs - a.updatedAtMs);
  if (latest) return latest;
  throw usage("There is no job to resume. All have ended.");
}
