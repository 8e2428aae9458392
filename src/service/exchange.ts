import type { IncomingMessage, ServerResponse } from "node:http";
import type { UtcMs } from "#shared/time/utc.ts";
import type { Faults } from "./faults/faults.ts";
import type { Refusal } from "./http/refusal.ts";
import type { Route } from "./http/route.ts";
import type { ServiceSettings } from "./options.ts";
import type { Organization } from "./organizations.ts";
import type { RequestRecord } from "./stats.ts";
import type { World } from "./world/types.ts";

/** One request, with the state of the service when it arrived. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly route: Route;
  readonly search: URLSearchParams;
  readonly organization: Organization;
  readonly world: World;
  readonly settings: ServiceSettings;
  readonly faults: Faults;
  readonly nowMs: UtcMs;
  readonly record: RequestRecord;
  /** Aborted when the connection closes. */
  readonly signal: AbortSignal;
}

/** Handles one endpoint: sends the response, or returns the refusal. */
export type Handler = (exchange: Exchange) => Promise<Refusal | null>;
