import { defined } from "#shared/defined.ts";
import type { JobSpec } from "#shared/job/job.ts";
import { futureWords } from "#shared/job/verdict.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { formatRange } from "#shared/time/range.ts";
import { hull, rangeSet } from "#shared/time/rangeset.ts";
import type { App } from "../../app.ts";
import type { OpenConnection } from "../../app/connections/connections.ts";
import type { PlanStation } from "../../planner/types.ts";
import type { JobRecord } from "../../store/index.ts";
import { command } from "../command.ts";
import { type Download, download, downloadDocument, report } from "../download/download.ts";
import { type ExitCode, usage } from "../exit.ts";
import { requireStations, selection, STATION_WORDS, STATIONS } from "../options/options.ts";
import { readSelection } from "../options/selection.ts";
import type { Shell } from "../shell.ts";
import { right, shrinking } from "../terminal/table.ts";
import { bytes, count, duration, many } from "../terminal/text.ts";

/** Options shared by `plan` and `fetch`. */
const DOWNLOAD = {
  ...selection(undefined, "means over this time, computed by the service: 30s, 15m, 1h (default: every observation)"),
  "--refresh":
    "request everything again; once all new data are there, add and change rows of the cache, and report them; removes none",
};

function specOf(selected: JobSpec, { refresh }: { readonly refresh: true | undefined }): JobSpec {
  return refresh ? { ...selected, refresh } : selected;
}

const HOW_TO_RETRY = "“fetch --recheck-gaps” requests them again";

export const addPlan = command({
  description:
    "Shows what “fetch” with the same arguments would do: the number of data points, how many are cached, the " +
    "requests, bytes and seconds for the rest, and what each station lacks. A data point is one epoch (or one " +
    "interval) of one station, as the service counts it. Sends nothing.",
  words: { ...STATIONS, ...DOWNLOAD },
  examples: [
    ["plan country:FI --month 2026-10", "a month of all Finnish stations"],
    ["plan Kallio --last 7d --interval 15m", "quarter-hour means of a week"],
  ],
  async run(shell, values) {
    const { output } = shell;
    const connection = await shell.connection();
    const { stations, spec: selected } = await readSelection(shell, connection, values);
    const spec = specOf(selected, values);
    const { jobs } = await shell.app();
    const cost = jobs.estimate(connection, spec, false);
    const refused = new Set(cost.forbiddenStationIds);
    const lacking = jobs.missing(connection, spec).filter(({ id }) => !refused.has(id));
    const missing = lacking.map((m) => describeMissing(m, stations));
    const failed = jobs.failedBefore(connection.record.id, spec, lacking);
    output.document("plan", { range: spec.range, stations: spec.stationIds.length, ...cost, missing, failed });
    const seconds =
      cost.seconds === null || cost.pointsToFetch === 0
        ? ""
        : `, ${duration(Math.ceil(cost.seconds))} at the last speed`;
    const [first] = failed;
    output.print([
      `${many(spec.stationIds.length, "station")}, ${spec.variables.join(", ")}, ${formatRange(spec.range)}`,
      `  requested  ${count(cost.pointsRequested)} points`,
      `  known      ${count(cost.pointsKnown)} points are cached or known to have no value`,
      `  to fetch   ${count(cost.pointsToFetch)} points in about ${many(cost.requests, "request")}, ${bytes(cost.bodyBytes)} before compression${seconds}`,
      ...(refused.size > 0 ? [`  refused    ${many(refused.size, "station")} within a day: ${HOW_TO_RETRY}`] : []),
      ...(first
        ? [`  failed     parts of ${many(failed.length, "station")} the last time; a fetch requests them again`]
        : []),
      ...(first && first.reason !== null ? [`             ${first.reason}`] : []),
    ]);
    if (missing.length === 0) {
      const { latestMs } = connection.session.time();
      const why =
        spec.range.startMs >= latestMs
          ? futureWords(spec.range.startMs)
          : refused.size > 0
            ? "Nothing else is missing"
            : cost.pointsRequested === 0
              ? "No data can exist in this range"
              : "Everything that can exist is cached";
      return output.print(`${why}: a fetch sends nothing.`);
    }
    const groups = Map.groupBy(missing, (m) => `${m.variables.join(",")}|${formatRange(m.within)}|${m.parts}`);
    output.print("");
    output.table(
      [...groups.values()].map((group) => ({ ...defined(group[0]), names: group.map((m) => m.displayName) })),
      {
        "Missing of": shrinking((group) => abbreviatedList(group.names)),
        Variables: shrinking((group) => group.variables.join(",")),
        "Between (UTC)": (group) => formatRange(group.within),
        Parts: right((group) => String(group.parts)),
      },
    );
  },
});

function describeMissing(missing: PlanStation, stations: readonly CatalogueStation[]) {
  const entries = [...Object.entries(missing.missing), ...Object.entries(missing.unconfirmed ?? {})].filter(
    ([, ranges]) => ranges.length > 0,
  );
  const ranges = rangeSet(entries.flatMap(([, r]) => r));
  return {
    stationId: missing.id,
    displayName: stations.find((s) => s.id === missing.id)?.displayName ?? missing.id,
    variables: [...new Set(entries.map(([name]) => name))],
    within: defined(hull(ranges)),
    parts: ranges.length,
    ranges,
  };
}

const MAX_NAMED = 3;

function abbreviatedList(names: readonly string[]): string {
  const first = names.slice(0, MAX_NAMED).join(", ");
  return names.length > MAX_NAMED ? `${first} and ${names.length - MAX_NAMED} more` : first;
}

export const addFetch = command({
  description:
    "Downloads measurements that are not in the cache. Queries of any size are split into requests that the " +
    "service accepts; failed requests are retried, and the rate follows the service. At the end, every station " +
    "has a verdict: ok; partial (an hour or longer is missing); empty (requested, and there is nothing); stale " +
    "(missing, may still arrive; requested again later); forbidden; failed, with the reason. Ctrl+C stops cleanly: received data are kept, and --resume requests the " +
    "rest.",
  words: {
    "[stations...]": STATION_WORDS,
    "--resume [job]": "resume an unfinished job; without an id, the latest one",
    "--recheck-gaps": "request missing data again, even if the service confirmed that they are missing",
    ...DOWNLOAD,
  },
  examples: [
    ["fetch Kallio Torsvika --month 2026-10", "all observations of a month"],
    ["fetch network:NORDA --from 2026-01-01 --interval 1h", "hourly means of this year"],
    ["fetch Kallio --day 2026-10-05 --vars snr,el,az", "satellites of a day"],
    ["fetch Kallio --month 2026-10 --refresh", "requests a month again and reports what has changed"],
    ["fetch --resume", "resumes the stopped job"],
  ],
  async run(shell, values) {
    if (values.resume !== undefined) return resume(shell, values.stations, values.resume);
    requireStations(values.stations);
    const { jobs } = await shell.app();
    const connection = await shell.connection();
    const spec = specOf((await readSelection(shell, connection, values, { source: "service" })).spec, values);
    if (values.recheckGaps) jobs.recheck(connection, spec);
    const refused = jobs.refused(connection, spec);
    if (refused.length > 0)
      shell.output.note(
        `${many(refused.length, "station")} left out, which the service refused within a day: ${HOW_TO_RETRY}.`,
      );
    const done = await download(shell, connection, (run) => jobs.run(connection, spec, run));
    return conclude(shell, connection, { ...done, spec });
  },
});

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
  shell.output.document("fetch", downloadDocument(shell, connection, done));
  return report(shell, connection, done);
}

function findJob({ jobs }: App, id: string | true): JobRecord {
  if (id !== true) {
    const [job, ...others] = jobs.named(id);
    if (!job) throw usage(`There is no job “${id}”. List them with “jobs”.`);
    if (others.length > 0) throw usage(`${others.length + 1} jobs begin with “${id}”. Enter more of the id.`);
    return job;
  }
  const [latest] = jobs
    .list(null)
    .filter((j) => j.state !== "finished")
    .toSorted((a, b) => b.updatedAtMs - a.updatedAtMs);
  if (latest) return latest;
  throw usage("There is no job to resume. All have ended.");
}
