import { formatUtcShort, type UtcMs } from "#shared/time/utc.ts";
import type { OpenConnection } from "../app/connections.ts";
import type { Shell } from "./shell.ts";
import { duration } from "./text.ts";

const LOOK_MS = 250;
/** Shorter waits are over before they are read. */
const WORTH_TELLING_MS = 2_000;

/** `the service asks to wait until 17:40:12 UTC (5 min)`. */
export function waitWords(untilMs: UtcMs, nowMs: UtcMs): string {
  const seconds = Math.max(1, Math.ceil((untilMs - nowMs) / 1_000));
  return `the service asks to wait until ${formatUtcShort(untilMs).slice(11, 19)} UTC (${duration(seconds)})`;
}

/** Says on stderr when the service asks to wait, while a work is under way that shows no line which is redrawn. */
export async function tellingWaits<T>(
  { output, now }: Pick<Shell, "output" | "now">,
  { session }: Pick<OpenConnection, "session">,
  work: () => Promise<T>,
): Promise<T> {
  let toldMs = -Infinity;
  const look = (): void => {
    const untilMs = session.turnstile.closedUntilMs();
    if (untilMs === null || untilMs - now() < WORTH_TELLING_MS || Math.abs(untilMs - toldMs) < WORTH_TELLING_MS) return;
    toldMs = untilMs;
    const words = waitWords(untilMs, now());
    output.note(`${words[0]!.toUpperCase()}${words.slice(1)} …`);
  };
  const timer = setInterval(look, LOOK_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
