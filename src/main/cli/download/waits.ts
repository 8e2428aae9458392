import type { JobProgress } from "#shared/job/job.ts";
import { formatUtcShort, type UtcMs } from "#shared/time/utc.ts";
import type { OpenConnection } from "../../app/connections/connections.ts";
import type { Output } from "../terminal/output.ts";
import { duration } from "../terminal/text.ts";

const LOOK_MS = 250;
/** Shorter waits are over before they are read. */
const WORTH_TELLING_MS = 2_000;

/** `the service asks to wait until 17:40:12 UTC (5 min)`. */
export function waitWords(untilMs: UtcMs, nowMs: UtcMs): string {
  return `the service asks to wait until ${timeOf(untilMs)} UTC (${duration(secondsTo(untilMs, nowMs))})`;
}

/** What is waited for: the end of an outage, or the time that the service asked for. */
export function waitingFacts(
  { outage, waitingUntilMs }: Pick<JobProgress, "outage" | "waitingUntilMs">,
  nowMs: UtcMs,
): string[] {
  if (outage) {
    const { sinceMs, nextTryMs } = outage;
    const next = nextTryMs > nowMs ? `in ${duration(secondsTo(nextTryMs, nowMs))}` : "now";
    return [`waiting for the service since ${timeOf(sinceMs)} UTC`, `trying again ${next}`];
  }
  return waitingUntilMs === null ? [] : [waitWords(waitingUntilMs, nowMs)];
}

/** Says on stderr what is waited for, while a work without a status line of its own is under way. */
export async function tellingWaits<T>(
  { output, now }: { readonly output: Output; now(): UtcMs },
  { session }: Pick<OpenConnection, "session">,
  work: () => Promise<T>,
): Promise<T> {
  let toldMs = -Infinity;
  let toldOutageMs: UtcMs | null = null;
  const look = (): void => {
    const outage = session.limiter.outage();
    if (outage && Math.abs(outage.sinceMs - (toldOutageMs ?? -Infinity)) > WORTH_TELLING_MS) {
      toldOutageMs = outage.sinceMs;
      output.note(`${outage.error.message} Waiting for the service …`);
    }
    const untilMs = session.limiter.pausedUntilMs();
    if (untilMs === null || untilMs - now() < WORTH_TELLING_MS || Math.abs(untilMs - toldMs) < WORTH_TELLING_MS) return;
    toldMs = untilMs;
    const words = waitWords(untilMs, now());
    output.note(`${words[0]!.toUpperCase()}${words.slice(1)} …`);
  };
  const timer = setInterval(look, LOOK_MS);
  const unwatch = session.limiter.onOutage(look);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    unwatch();
  }
}

function timeOf(momentMs: UtcMs): string {
  return formatUtcShort(momentMs).slice(11, 19);
}

function secondsTo(momentMs: UtcMs, nowMs: UtcMs): number {
  return Math.max(1, Math.ceil((momentMs - nowMs) / 1_000));
}
