import type { AppFault } from "#shared/fault.ts";
import type { JobProgress, JobSpec } from "#shared/job/job.ts";
import { type Verdict, whyNothingWasSent } from "#shared/job/verdict.ts";
import { stationLabels } from "#shared/service/catalogue.ts";
import type { Result } from "#shared/service/error.ts";
import type { OpenConnection } from "../../app/connections/connections.ts";
import { isComplete } from "../../app/exports/fetchFirst.ts";
import type { FinishedJob, RunOptions } from "../../app/jobs/jobs.ts";
import { outageOf } from "../../sync/jobStatistics.ts";
import { EXIT, type ExitCode, Stop } from "../exit.ts";
import { orStop, type Shell } from "../shell.ts";
import { jobLine, openStatus, startLine } from "../terminal/progress.ts";
import type { Output } from "../terminal/output.ts";
import { amount, shrinking } from "../terminal/table.ts";
import { bytes, count, duration, many, visible } from "../terminal/text.ts";
import { irregularityLines } from "#shared/series/rows.ts";
import { refreshLines } from "./refreshed.ts";
import { isIncomplete, type StationSummary, summarise } from "./summary.ts";
import { reportingWaits } from "./waits.ts";

type NamedSummary = StationSummary & { readonly displayName: string };

/** Runs a job and shows its progress. @throws Stop if another process runs it */
export async function download(
  shell: Shell,
  { session }: Pick<OpenConnection, "session">,
  start: (options: RunOptions) => Promise<Result<FinishedJob, AppFault>>,
): Promise<{ finished: FinishedJob; seconds: number }> {
  const status = openStatus(shell.output);
  const startedMs = performance.now();
  const waiting = () => ({ outage: outageOf(session), waitingUntilMs: session.limiter.pausedUntilMs() });
  let hasAnswered = false;
  const onProgress = (progress: JobProgress): void => {
    // Nothing was requested from the service while another download fetches the same data.
    hasAnswered ||= progress.pointsDone > 0 || progress.waitsForOthers === true;
    status.show({ data: progress, line: (columns) => jobLine(progress, Date.now(), columns) });
  };
  status.show({
    data: { state: "running" },
    line: () => startLine(waiting(), Date.now()),
  });
  try {
    const work = () => start({ signal: shell.signal, onProgress });
    // A redrawn status line shows waits itself; a plain line every few seconds may come too late.
    const isRedrawn = process.stderr.isTTY && !shell.output.json;
    const finished = orStop(await (isRedrawn ? work() : reportingWaits(shell, { session }, work, () => hasAnswered)));
    return { finished, seconds: (performance.now() - startedMs) / 1000 };
  } finally {
    status.end();
  }
}

/** An ended job, with the data for its report. */
export interface Download {
  readonly finished: FinishedJob;
  readonly seconds: number;
  readonly spec: JobSpec;
}

function resumeCommand(shell: Shell, { id, outcome }: FinishedJob): string | null {
  return outcome.state === "finished" ? null : shell.suggest(`fetch --resume ${id.slice(0, 8)}`);
}

function named({ cache }: OpenConnection, stations: readonly StationSummary[]): NamedSummary[] {
  const names = stationLabels(cache.catalogue());
  return stations.map((s) => ({ ...s, displayName: names.get(s.stationId) ?? s.stationId }));
}

/** The download as a JSON document. */
export function downloadDocument(
  shell: Shell,
  connection: OpenConnection,
  { finished, seconds, spec: { range } }: Download,
) {
  const { id, statistics, outcome, verdicts } = finished;
  const { state, reason } = outcome;
  const { refreshed, ...progress } = statistics;
  const { refreshed: _, ...ofRun } = outcome.progress;
  return {
    job: { id, state, reason, resume: resumeCommand(shell, finished), range },
    progress,
    run: ofRun,
    ...(refreshed ? { refreshed } : {}),
    seconds,
    stations: named(connection, summarise(verdicts, range)),
    verdicts,
  };
}

/**
 * Prints the statistics of a job, a verdict for each station, irregularities, and how to resume it if it did not finish.
 *
 * @throws Stop if the job ended because of the key or the service
 */
export function report(shell: Shell, connection: OpenConnection, { finished, seconds, spec }: Download): ExitCode {
  const { range } = spec;
  const { output } = shell;
  const { outcome, verdicts } = finished;
  const stations = named(connection, summarise(verdicts, range));
  const isLacking = isIncomplete(verdicts);
  if (output.quiet && isLacking) output.shortfall(incompleteWarning(connection, finished, spec));
  output.print(summaryLine(spec, finished, seconds));
  printStations(output, stations);
  const { refreshed } = finished.statistics;
  if (refreshed) output.print(["", ...refreshLines(shell, connection, spec, refreshed)]);
  const lines = irregularityLines(finished.statistics.irregularities);
  if (lines.length > 0) output.print(["", "Irregularities handled:", ...lines.map((l) => `  ${l}`)]);
  if (outcome.state === "finished") return isLacking ? EXIT.incomplete : EXIT.ok;
  const resumeHint = `Received data are kept. Resume with:\n  ${resumeCommand(shell, finished)}`;
  if (outcome.state === "cancelled") {
    output.warn(`Stopped. ${resumeHint}`);
    return EXIT.interrupted;
  }
  const code = outcome.state === "needsKey" ? EXIT.key : EXIT.service;
  throw new Stop(code, `${outcome.reason ?? "The service cannot be used."} ${resumeHint}`);
}

function summaryLine(spec: JobSpec, { statistics, outcome, verdicts }: FinishedJob, seconds: number): string {
  const { progress: ofRun, nowMs } = outcome;
  if (ofRun.requestsSent === 0 && ofRun.pointsTotal === 0) {
    const states = new Set(verdicts.map((v) => v.state));
    // A verdict “empty” with a reason means that nothing could be requested.
    const isPossible = verdicts.some((v) => v.state !== "empty" || v.reason === null);
    const isFinished = outcome.state === "finished";
    return `${whyNothingWasSent({ spec, untilMs: nowMs, states, isPossible, isFinished })}: 0 requests sent.`;
  }
  const { requestsSent, pointsDone, rows, bodyBytes, splits, putOff, retries } = statistics;
  const problems = [
    ...(splits > 0 ? [`${count(splits)} split into smaller requests`] : []),
    ...(putOff > 0 ? [`${count(putOff)} delayed (429)`] : []),
    ...(retries > 0 ? [`${count(retries)} repeated`] : []),
  ];
  const isResumed = requestsSent > ofRun.requestsSent;
  return (
    `Fetched ${count(pointsDone)} points${isResumed ? " in all" : ""}: ${count(rows)} rows, ${bytes(bodyBytes)} ` +
    (isResumed ? "" : `in ${duration(seconds)} `) +
    `with ${many(requestsSent, "request")}${problems.length > 0 ? `: ${problems.join(", ")}` : ""}.`
  );
}

/** If there are more stations, those without problems are counted instead of listed. */
const MAX_LISTED = 30;

function isFine(station: StationSummary): boolean {
  return station.states.every((state) => state === "ok");
}

function printStations(output: Output, stations: readonly NamedSummary[]): void {
  const listed = stations.length <= MAX_LISTED ? stations : stations.filter((s) => !isFine(s));
  const unlisted = stations.length - listed.length;
  if (stations.length === 0) return;
  output.print("");
  if (listed.length > 0)
    output.table(listed, {
      Station: shrinking((s) => s.displayName),
      "Rows cached": amount((s) => s.rows),
      Verdict: (s) => s.verdict,
    });
  if (unlisted > 0) output.print(`${many(unlisted, listed.length > 0 ? "other station" : "station")}: ok`);
}

const CONTINUE_HINT = "Nothing was written. Received data are kept: run the same command to continue.";

/**
 * Downloads missing data, as “fetch” does, and warns about parts that were refused or failed.
 *
 * @returns `incomplete` if parts were refused or failed
 * @throws Stop if the download did not finish, or only failed: the file would contain only gaps
 */
export async function fetchMissing(shell: Shell, connection: OpenConnection, spec: JobSpec): Promise<ExitCode> {
  const { jobs } = await shell.app();
  if (isComplete(jobs, connection, spec)) return EXIT.ok;
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
  if (!isIncomplete(finished.verdicts)) return EXIT.ok;
  shell.output.shortfall(incompleteWarning(connection, finished, spec));
  return EXIT.incomplete;
}

function isRefusedOrFailed({ state }: Verdict): boolean {
  return state === "failed" || state === "forbidden";
}

function incompleteWarning({ cache }: OpenConnection, { verdicts }: FinishedJob, { range }: JobSpec): string {
  const names = stationLabels(cache.catalogue());
  const stations = summarise(verdicts.filter(isRefusedOrFailed), range).map(
    ({ stationId, verdict }) => `“${visible(names.get(stationId) ?? stationId)}” (${verdict})`,
  );
  return `Some of the data could not be downloaded: ${stations.join("; ")}.`;
}
