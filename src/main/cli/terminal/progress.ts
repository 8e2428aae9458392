import type { JobProgress } from "#shared/job/job.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { WorkPace } from "../../store/types.ts";
import { EXIT, Stop } from "../exit.ts";
import { terminalWidth, type Output } from "./output.ts";
import { bytes, count, duration, many, visible } from "./text.ts";
import { waitingFacts } from "../download/waits.ts";
import { cut } from "./table.ts";

/** Current progress, formatted whenever it is about to be shown. */
interface Snapshot {
  /** One line of at most `columns`; null for any length. */
  line(columns: number | null): string;
  /** The same as JSON. */
  readonly data: JobProgress | { readonly state: "running" } | { readonly share: number } | { readonly rows: number };
}

interface Status {
  show(snapshot: Snapshot): void;
  /** Clears the line. */
  end(): void;
}

const REDRAW_MS = 100;
const PLAIN_LINE_MS = 5_000;
const EVENT_MS = 1_000;
const START_OF_LINE = "\r\u001b[2K";

/**
 * Shows progress on stderr: one line that is redrawn on a terminal, a plain line every few seconds elsewhere, an event
 * every second with `--json`, nothing with `--quiet`.
 */
export function openStatus(output: Output, stderr: NodeJS.WriteStream = process.stderr): Status {
  const redraws = stderr.isTTY && !output.json && process.env["TERM"] !== "dumb";
  let current: Snapshot | null = null;
  let last = "";
  const tick = (): void => {
    if (!current) return;
    if (output.json) return output.event("progress", current.data);
    const columns = terminalWidth(stderr);
    const line = visible(redraws ? cut(current.line(columns - 1), columns - 1) : current.line(null));
    // Does not repeat the same line, for example in a log.
    if (line === last) return;
    last = line;
    stderr.write(redraws ? START_OF_LINE + line : `${line}\n`);
  };
  if (output.quiet) return { show() {}, end() {} };
  const timer = setInterval(tick, output.json ? EVENT_MS : redraws ? REDRAW_MS : PLAIN_LINE_MS);
  timer.unref();
  return {
    show(snapshot) {
      const isFirst = current === null;
      current = snapshot;
      if (isFirst && redraws) tick();
    },
    end() {
      clearInterval(timer);
      if (redraws && last !== "") stderr.write(START_OF_LINE);
      else if (output.json) tick();
      current = null;
    },
  };
}

/** A running download as a line: bar, points, rate, time left, then requests. */
export function jobLine(progress: JobProgress, nowMs: UtcMs, columns: number | null, unicode = hasUnicode()): string {
  const { pointsTotal, pointsDone, pointsPerSecond, secondsLeft } = progress;
  if (pointsTotal === 0) return startLine(progress, nowMs);
  const waits = waitingFacts(progress, nowMs);
  const share = Math.min(1, pointsDone / pointsTotal);
  const facts = [
    // First, so that it is visible in a truncated line.
    ...waits,
    `${Math.floor(share * 100)} %`,
    `${count(pointsDone)} of ${count(pointsTotal)} points`,
    ...(pointsPerSecond === null ? [] : [`${count(pointsPerSecond)}/s`]),
    ...(secondsLeft === null || share === 1 || waits.length > 0 ? [] : [`${duration(Math.ceil(secondsLeft))} left`]),
    `${many(progress.requestsSent, "request")}, ${progress.requestsUnderWay} under way`,
    ...(progress.splits > 0 ? [many(progress.splits, "split")] : []),
    ...(progress.putOff > 0 ? [`${count(progress.putOff)} × 429`] : []),
    ...(progress.retries > 0 ? [`${count(progress.retries)} repeated`] : []),
    bytes(progress.bodyBytes),
  ];
  const text = facts.join(" · ");
  if (columns === null) return text;
  return `${bar(share, columns >= 100 ? 24 : 12, unicode)} ${text}`;
}

/** A download that has not been planned yet: only the reason for waiting, so that it fits 80 columns. */
export function startLine(waiting: Pick<JobProgress, "outage" | "waitingUntilMs">, nowMs: UtcMs): string {
  const text = waitingFacts(waiting, nowMs).join(" · ");
  return text === "" ? "Comparing with the cache …" : text.charAt(0).toUpperCase() + text.slice(1);
}

export function bar(share: number, width: number, unicode: boolean): string {
  const full = Math.round(share * width);
  return unicode ? "█".repeat(full) + "░".repeat(width - full) : `[${"#".repeat(full)}${"-".repeat(width - full)}]`;
}

/** Whether the terminal supports block characters. */
function hasUnicode(env: NodeJS.ProcessEnv = process.env): boolean {
  if (process.platform !== "linux") return true;
  return /utf-?8/i.test(env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "");
}

/** Shows the progress of `work`. @param stopped a sentence for the user who stopped it, unless it ends with a result then */
export async function withProgress<T>(
  { output, signal }: { readonly output: Output; readonly signal: AbortSignal },
  work: (pace: WorkPace) => Promise<T>,
  stopped?: string,
): Promise<T> {
  const status = openStatus(output);
  const onProgress = (share: number): void => {
    const percent = `${Math.floor(share * 100)} %`;
    const line = (columns: number | null) =>
      columns === null ? percent : `${bar(share, 24, hasUnicode())} ${percent}`;
    status.show({ line, data: { share } });
  };
  try {
    return await work({ onProgress, signal });
  } catch (thrown) {
    throw stopped !== undefined && signal.aborted ? new Stop(EXIT.interrupted, stopped) : thrown;
  } finally {
    status.end();
  }
}
