import { formatRange } from "#shared/time/range.ts";
import { command } from "../command.ts";
import { amount, moment, shrinking } from "../terminal/table.ts";
import { seriesText } from "../terminal/text.ts";

export const addJobs = command({
  description:
    "Lists the downloads, latest first. An unfinished one (stopped, killed, without a key) can be resumed by its " +
    "id; this requests only missing data. With --connection, lists only those of one connection. Times in UTC.",
  examples: [
    ["jobs", ""],
    ["fetch --resume 3f2a", "by the beginning of its id"],
  ],
  async run(shell) {
    const app = await shell.app();
    const connection = await shell.named();
    const jobs = app.jobs
      .list(connection?.id ?? null)
      .toSorted((a, b) => b.createdAtMs - a.createdAtMs)
      .map((job) => ({
        id: job.id,
        state: job.state === "running" ? "unfinished" : job.state,
        connection: app.connections.find(job.connectionId)?.name ?? "(removed)",
        createdAtMs: job.createdAtMs,
        updatedAtMs: job.updatedAtMs,
        spec: job.spec,
      }));
    shell.output.document("jobs", { jobs });
    shell.output.table(
      jobs,
      {
        Job: (job) => job.id.slice(0, 8),
        State: (job) => job.state,
        Started: moment((job) => job.createdAtMs),
        Connection: shrinking((job) => job.connection),
        Stations: amount((job) => job.spec.stationIds.length),
        Variables: shrinking((job) => seriesText(job.spec)),
        Range: (job) => `${formatRange(job.spec.range)}${job.spec.only === undefined ? "" : " (parts)"}`,
      },
      "There are no downloads yet.",
    );
  },
});
