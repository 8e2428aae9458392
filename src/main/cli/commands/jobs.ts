import { formatRange } from "#shared/time/range.ts";
import { right, shrinking } from "../terminal/table.ts";
import { minuteText, seriesText } from "../terminal/text.ts";
import { type AddCommand, examples } from "./types.ts";

export const addJobs: AddCommand = (program, run) => {
  program
    .command("jobs")
    .summary("list downloads, and which of them can be resumed")
    .description(
      "Lists the downloads, latest first. An unfinished one (stopped, killed, without a key) can be resumed by its " +
        "id; this requests only missing data. With --connection, lists only those of one connection. Times in UTC.",
    )
    .addHelpText("after", examples(["jobs", ""], ["fetch --resume 3f2a", "by the beginning of its id"]))
    .action(
      run(async (shell) => {
        const app = await shell.app();
        const connection = await shell.named();
        const jobs = app.jobs.list(connection?.id ?? null).toSorted((a, b) => b.createdAtMs - a.createdAtMs);
        const shown = jobs.map((job) => ({
          id: job.id,
          state: job.state === "running" ? "unfinished" : job.state,
          connection: app.connections.find(job.connectionId)?.name ?? "(removed)",
          createdAtMs: job.createdAtMs,
          updatedAtMs: job.updatedAtMs,
          spec: job.spec,
        }));
        shell.output.document("jobs", { jobs: shown });
        const columns = [
          "Job",
          "State",
          "Started",
          shrinking("Connection"),
          right("Stations"),
          shrinking("Variables"),
          "Range",
        ];
        const rows = shown.map(({ id, state, createdAtMs, connection, spec }) => [
          id.slice(0, 8),
          state,
          minuteText(createdAtMs),
          connection,
          String(spec.stationIds.length),
          seriesText(spec),
          `${formatRange(spec.range)}${spec.only === undefined ? "" : " (parts)"}`,
        ]);
        if (jobs.length === 0) shell.output.print("There are no downloads yet.");
        else shell.output.table(columns, rows);
      }),
    );
};
