import type { ScheduleRun } from "#shared/schedule/run.ts";
import { MISSING_WORDS, runWords } from "#shared/schedule/schedule.ts";
import { stationLabels } from "#shared/service/catalogue.ts";
import { CLOSING, type Downloaded } from "../../app/schedules/delivery.ts";
import type { OpenConnection } from "../../app/connections/connections.ts";
import type { Ledger, StoredSchedule } from "../../app/schedules/ledger.ts";
import { endFault } from "../../app/schedules/download.ts";
import { download } from "../download/download.ts";
import { EXIT, type ExitCode, stopFor, usage } from "../exit.ts";
import { orStop, type Shell } from "../shell.ts";
import { bytes, visible, minuteText } from "../terminal/text.ts";
import { nextTime } from "#shared/schedule/when.ts";

/** Runs a schedule to its end, as a timer does. @throws Stop */
export async function runSchedule(shell: Shell, name: string, onlyDue: boolean): Promise<ExitCode> {
  const { output, signal } = shell;
  const app = await shell.app();
  const stored = orStop(app.schedules.store.named(name));
  const { schedule } = stored;
  if (onlyDue && schedule.isPaused) {
    output.note(`“${schedule.name}” is paused.`);
    return EXIT.ok;
  }
  const record = app.connections.find(schedule.connectionId);
  if (!record) throw usage(`The connection of “${schedule.name}” was removed.`);
  const opened = await shell.open(record);
  const outcome = await app.scheduleRunner.run(stored, onlyDue, {
    trigger: onlyDue ? "time" : "user",
    // What stops a timer's command is the end of the system or session: the next start continues.
    signal: onlyDue ? closingWith(signal) : signal,
    download: (connection, spec) => runDownload(shell, connection, (run) => app.jobs.run(connection, spec, run)),
  });
  if (outcome === "notDue") {
    output.note(`Nothing is due in “${schedule.name}”: ${nextText(stored, app.schedules.store.ledger)}.`);
    output.document("schedule run", { name: schedule.name, run: null });
    return EXIT.ok;
  }
  if (outcome === "elsewhere") {
    const sentence = `“${schedule.name}” is running right now in another program.`;
    if (!onlyDue) throw usage(`${sentence} Wait for its end.`);
    output.note(sentence);
    return EXIT.ok;
  }
  report(shell, opened, schedule.name, outcome);
  return exitCodeOf(outcome);
}

/** When a schedule runs next, and when it tries a range again if that is earlier. */
function nextText(stored: StoredSchedule, ledger: Ledger): string {
  const nowMs = Date.now();
  const nextMs = nextTime(stored.schedule.when, nowMs);
  const next = `it runs next at ${minuteText(nextMs)} UTC`;
  const againMs = Math.min(...ledger.open(stored, nowMs).map(({ nextTryMs }) => nextTryMs ?? Infinity));
  return againMs < nextMs ? `it tries an open range again at ${minuteText(againMs)} UTC, and ${next.slice(3)}` : next;
}

/** A signal that aborts with another as the end of the program does. */
function closingWith(signal: AbortSignal): AbortSignal {
  const closing = new AbortController();
  const close = (): void => closing.abort(CLOSING);
  if (signal.aborted) close();
  else signal.addEventListener("abort", close, { once: true });
  return closing.signal;
}

async function runDownload(
  shell: Shell,
  connection: OpenConnection,
  start: Parameters<typeof download>[2],
): Promise<Downloaded> {
  const { finished } = await download(shell, connection, start);
  const { id, verdicts } = finished;
  const { state, progress, reason } = finished.outcome;
  const { rows, requestsSent: requests } = progress;
  return { jobId: id, rows, requests, verdicts, fault: endFault(state, reason) };
}

function report({ output }: Shell, { cache }: OpenConnection, name: string, run: ScheduleRun): void {
  output.document("schedule run", { name, run });
  const names = stationLabels(cache.catalogue());
  const sentence = `${name}: ${visible(runWords(run))}`;
  if (output.quiet && exitCodeOf(run) !== EXIT.ok) return output.shortfall(sentence);
  output.print(sentence);
  for (const { path, bytes: size } of run.files) output.print(`  ${path}  ${bytes(size)}`);
  for (const line of missingLines(run, names)) output.print(line);
}

/** Lines on why data of a run are missing, and for which stations; indented, to stand below the run. */
export function missingLines({ missing }: Pick<ScheduleRun, "missing">, names: ReadonlyMap<string, string>): string[] {
  return missing.map(({ state, reason, stationIds, stations }) => {
    const some = stationIds.slice(0, 5).map((id) => visible(names.get(id) ?? id));
    const more = stations > some.length ? ` and ${stations - some.length} more` : "";
    return `  ${MISSING_WORDS[state]}: ${some.join(", ")}${more}${reason === null ? "" : `: ${visible(reason)}`}`;
  });
}

function exitCodeOf({ state, faultKind, reason, alarms }: ScheduleRun): ExitCode {
  if (state === "ok" || state === "mayStillArrive") return alarms.length > 0 ? EXIT.incomplete : EXIT.ok;
  if (state === "incomplete") return EXIT.incomplete;
  if (state === "interrupted") return EXIT.interrupted;
  return stopFor({ kind: faultKind ?? "core", message: reason ?? "", cause: null }).exitCode;
}
