import type { AppFault } from "#shared/fault.ts";
import { LIMITS } from "#shared/service/limits.ts";
import { type Result, success } from "#shared/service/error.ts";
import type { NearestAnswer } from "#shared/service/nearest.ts";
import { ownIntervalMs, SCALAR_VARIABLES, type Variable } from "#shared/service/variables.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { bridge } from "../../bridge/index.ts";

/** Variables with the same interval. PWV is less frequent than ZTD, so the row nearest to a moment would mostly lack it. */
const VARIABLE_GROUPS: readonly (readonly Variable[])[] = [...Map.groupBy(SCALAR_VARIABLES, ownIntervalMs).values()];
export const SERVICE_REQUESTS = VARIABLE_GROUPS.length;

interface ServiceRequest {
  readonly connectionId: string;
  /** null: the latest values. */
  readonly timeMs: UtcMs | null;
  readonly withinSeconds: number;
  readonly raw: boolean;
}

/**
 * Requests the nearest values of all stations from the service, without caching them. Always of all stations, because a
 * long list does not fit into a URL, and the service rejects a list that contains a station the key may not access.
 */
export async function requestServiceValues(
  { withinSeconds, ...request }: ServiceRequest,
  control: AbortController,
): Promise<Result<NearestAnswer[], AppFault>> {
  const { min, max } = LIMITS.withinSeconds;
  const within = Math.min(max, Math.max(min, Math.ceil(withinSeconds)));
  const answers: NearestAnswer[] = [];
  for (const variables of VARIABLE_GROUPS) {
    const answer = await bridge.nearest.query(
      { ...request, stationIds: "all", withinSeconds: within, variables },
      control,
    );
    if (!answer.ok) return answer;
    answers.push(answer.value);
  }
  return success(answers);
}
