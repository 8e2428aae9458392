import { z } from "zod";
import { LIMITS } from "#shared/service/limits.ts";
import type { NearestAnswer } from "#shared/service/nearest.ts";
import { method } from "../method.ts";
import { connectionId, moment, stationIds, variables } from "./schemas.ts";

/** The observation nearest to a moment, directly from the service; nothing is stored. */
export const nearest = {
  /** `timeMs: null` requests the latest observation. Faults: usage, key, network, service, cancelled. */
  query: method<NearestAnswer>()(
    z.object({
      connectionId,
      stationIds: z.union([z.literal("all"), stationIds]),
      variables,
      timeMs: moment.nullable(),
      withinSeconds: z.number().int().min(LIMITS.withinSeconds.min).max(LIMITS.withinSeconds.max),
      raw: z.boolean(),
    }),
  ),
};
