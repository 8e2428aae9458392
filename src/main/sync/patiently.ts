import type { Result, ServiceError } from "#shared/service/error.ts";
import { backoffMs } from "../planner/backoff.ts";
import type { Session } from "./session.ts";

const MOST_ATTEMPTS = 5;
const PASSING: ReadonlySet<ServiceError["kind"]> = new Set(["busy", "unavailable", "network", "truncated"]);

/**
 * Makes a small request (catalogue, nearest time) through the turnstile of its connection, and again, a bounded number
 * of times, where the failure is one that passes.
 */
export async function patiently<T>(
  session: Session,
  call: () => Promise<Result<T>>,
  signal: AbortSignal,
): Promise<Result<T>> {
  for (let attempts = 0; ; attempts++) {
    const pass = await session.turnstile.enter(signal);
    try {
      const result = await call();
      if (result.ok) pass?.answered();
      if (result.ok || !PASSING.has(result.error.kind) || attempts + 1 >= MOST_ATTEMPTS || pass === null) return result;
      if (result.error.kind === "busy") {
        pass.overloaded();
        session.turnstile.close(result.error.retryAfterMs);
      }
    } finally {
      pass?.leave();
    }
    await session.clock.sleep(backoffMs(attempts, session.random()), signal);
  }
}
