// Runs a job from the network into an empty cache and, if requested, on to a NetCDF file, as the application does.
import { join } from "node:path";
import type { JobSpec } from "#shared/job/job.ts";
import { runJob } from "#main/sync/job.ts";
import { peakMb, report, timed } from "../harness/report.ts";
import { withFolder } from "../harness/folder.ts";
import { connect } from "./connect.ts";

export interface IngestArguments {
  readonly url: string;
  readonly folder: string;
  readonly spec: JobSpec;
  readonly toNetcdf: boolean;
}

export interface Ingested {
  readonly rows: number;
  readonly requests: number;
  readonly seconds: number;
  /** Processor time of the same work: more than `seconds` with parallel threads, less with waits for server or disk. */
  readonly processorSeconds: number;
  readonly peakMb: number;
}

await report(({ url, folder, spec, toNetcdf }: IngestArguments) =>
  withFolder(folder, async (workFolder): Promise<Ingested> => {
    const connected = await connect(url, join(workFolder, "cache.db"));
    // Loaded before the measurement, like the peer's library.
    const exportJob = toNetcdf ? (await import("./exportJob.ts")).exportJob : null;
    const before = process.cpuUsage();
    const { seconds, value } = await timed(async () => {
      const outcome = await runJob(connected.session, spec, { signal: new AbortController().signal });
      const failure = outcome.failures[0]?.reason ?? outcome.reason;
      if (outcome.state !== "finished" || failure) throw new Error(`The job is ${outcome.state}: ${failure}`);
      if (exportJob) await exportJob(connected, spec, "netcdf", join(workFolder, "series.nc"));
      return outcome.progress;
    });
    const { user, system } = process.cpuUsage(before);
    await connected.close();
    return {
      rows: value.rows,
      requests: value.requestsSent,
      seconds,
      processorSeconds: (user + system) / 1e6,
      peakMb: peakMb(),
    };
  }),
);
