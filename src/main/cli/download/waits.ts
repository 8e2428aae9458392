import type { JobProgress } from "#shared/job/job.ts";
import { formatUtcShort, type UtcMs } from "#shared/time/utc.ts";
import type { OpenConnection } from "../../app/connections/connections.ts";
import type { Output } from "../terminal/output.ts";
import { duration } from "../terminal/text.ts";

const CHECK_MS = 250;
/** An answer that takes longer than this is reported. */
const SLOW_MS = 5_000;
/** Shorter waits would end before the user has read the message. */
const MIN_REPORTED_WAIT_MS = 2_000;

/** `the service asks to wait until 17:40:12 UTC (5 min)`. */
function waitWords(untilMs: UtcMs, nowMs: UtcMs): string {
  return `the service asks to wait until ${clockTime(untilMs)} UTC (${duration(secondsTo(untilMs, nowMs))})`;
}

/** The reason for waiting: an outage, a pause requested by the service, or another download of the same data. */
export function waitingFacts(
  { outage, waitingUntilMs, waitsForOthers }: Pick<JobProgress, "outage" | "waitingUntilMs" | "waitsForOthers">,
  nowMs: UtcMs,
): string[] {
  if (outage) {
    const { sinceMs, nextTryMs } = outage;
    const next = nextTryMs > nowMs ? `in ${duration(secondsTo(nextTryMs, nowMs))}` : "now";
    if (outage.isLock) return [`waiting for the cache, which another program locks, since ${clockTime(sinceMs)} UTC`];
    return [`waiting for the service since ${clockTime(sinceMs)} UTC`, `trying again ${next}`];
  }
  if (waitingUntilMs !== null) return [waitWords(waitingUntilMs, nowMs)];
  return waitsForOthers ? ["waiting for another download of the same data"] : [];
}

/**
 * Returns the outage that the work waits for to end. Null if there is no outage, if the patience has ended, or if another
 * program answers in place of the service: then the work ends at once.
 */
function awaitedOutage({ limiter, patience }: OpenConnection["session"], nowMs: UtcMs) {
  const outage = limiter.outage();
  if (outage === null || outage.error.kind === "notTheService") return null;
  return nowMs - outage.sinceMs < patience.jobMs ? outage : null;
}

/**
 * Reports waits on stderr during work that has no status line, and an answer that takes long.
 *
 * @param hasAnswered whether data has arrived, which the work itself reports
 */
export async function reportingWaits<T>(
  { output }: { readonly output: Output },
  { session }: Pick<OpenConnection, "session">,
  work: () => Promise<T>,
  hasAnswered: () => boolean = () => false,
): Promise<T> {
  const startedMs = performance.now();
  let isSlowReported = false;
  let reportedUntilMs = -Infinity;
  let reportedOutageMs: UtcMs | null = null;
  const check = (): void => {
    const outage = awaitedOutage(session, Date.now());
    if (outage && Math.abs(outage.sinceMs - (reportedOutageMs ?? -Infinity)) > MIN_REPORTED_WAIT_MS) {
      reportedOutageMs = outage.sinceMs;
      output.note(`${outage.error.message} Waiting for the service …`);
    }
    const untilMs = session.limiter.pausedUntilMs();
    const isSlow = performance.now() - startedMs > SLOW_MS && !hasAnswered();
    if (!isSlowReported && !outage && untilMs === null && isSlow) {
      isSlowReported = true;
      output.note("The service has not answered completely yet. Waiting … (Ctrl+C stops)");
    }
    if (
      untilMs === null ||
      untilMs - Date.now() < MIN_REPORTED_WAIT_MS ||
      Math.abs(untilMs - reportedUntilMs) < MIN_REPORTED_WAIT_MS
    )
      return;
    reportedUntilMs = untilMs;
    const words = waitWords(untilMs, Date.now());
    output.note(`${words.charAt(0).toUpperCase()}${words.slice(1)} …`);
  };
  const timer = setInterval(check, CHECK_MS);
  const unsubscribe = session.limiter.onOutage(check);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    unsubscribe();
  }
}

function clockTime(momentMs: UtcMs): string {
  return formatUtcShort(momentMs).slice(11, 19);
}

function secondsTo(momentMs: UtcMs, nowMs: UtcMs): number {
  return Math.max(1, Math.ceil((momentMs - nowMs) / 1_000));
}
