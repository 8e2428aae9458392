import type { NearestQuery } from "#shared/service/query.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import type { NearestAnswer } from "#shared/service/nearest.ts";
import { timed } from "../sync/catalogue.ts";
import { patiently } from "../sync/patiently.ts";
import type { OpenConnection } from "./connections.ts";
import { serviceFault } from "../fault.ts";
import { type AppFault } from "#shared/fault.ts";

/** The observation nearest to a moment, station by station, straight from the service. Nothing is kept. */
export async function nearest(
  { session }: OpenConnection,
  query: NearestQuery,
  signal: AbortSignal,
): Promise<Result<NearestAnswer, AppFault>> {
  const answer = await patiently(session, () => timed(session, () => session.client.nearest(query, signal)), signal);
  return answer.ok ? success(answer.value) : failure(serviceFault(answer.error));
}
