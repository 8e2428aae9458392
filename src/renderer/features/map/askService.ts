import type { AppFault } from "#shared/fault.ts";
import { LIMITS } from "#shared/service/limits.ts";
import { type Result, success } from "#shared/service/error.ts";
import type { NearestAnswer } from "#shared/service/nearest.ts";
import { ownIntervalMs, SCALAR_VARIABLES, type Variable } from "#shared/service/variables.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { bridge } from "../../bridge/index.ts";

/** Variables of one interval. PWV comes less often than ZTD: the row nearest to the moment would mostly lack it. */
const TOGETHER: readonly (readonly Variable[])[] = [...Map.groupBy(SCALAR_VARIABLES, ownIntervalMs).values()];
export const SERVICE_REQUESTS = TOGETHER.length;

export interface ServiceQuestion {
  readonly connectionId: string;
  /** null: the latest. */
  readonly timeMs: UtcMs | null;
  readonly withinSeconds: number;
  readonly raw: boolean;
}

/**
 * The nearest values of all stations straight from the service; nothing of them is kept. About all of them in any case:
 * a list does not fit one address where it is long, and one station that the key may not see refuses the whole of it.
 */
export async function askService(
  { withinSeconds, ...question }: ServiceQuestion,
  control: AbortController,
): Promise<Result<NearestAnswer[], AppFault>> {
  const { min, max } = LIMITS.withinSeconds;
  const within = Math.min(max, Math.max(min, Math.ceil(withinSeconds)));
  const answers: NearestAnswer[] = [];
  for (const variables of TOGETHER) {
    const answer = await bridge.nearest.query(
      { ...question, stationIds: "all", withinSeconds: within, variables },
      control,
    );
    if (!answer.ok) return answer;
    answers.push(answer.value);
  }
  return success(answers);
}
