export { readServiceConfig, unknownEntitlement } from "./config.ts";
export type { Fault, FaultKind, FaultRule } from "./faults/faults.ts";
export type { Endpoint } from "./http/route.ts";
export {
  DEFAULT_SETTINGS,
  type LimitStyle,
  type NoDataStyle,
  type RetryAfterStyle,
  type ServiceOptions,
  type ServiceSettings,
} from "./options.ts";
export { BUILT_IN_ORGANIZATIONS, type Organization, type OrganizationOptions } from "./organizations.ts";
export { startService, type RunningService } from "./start.ts";
export type { RequestRecord, ServiceStats } from "./stats.ts";
export { createWorld } from "./world/index.ts";
