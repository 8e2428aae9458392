import { z } from "zod";
import { amount, ruleSchema, timerMs } from "./faults/faults.ts";
import { MAX_DECIMALS } from "./measurements/digits.ts";
import { LIMIT_STYLES, NO_DATA_STYLES, RETRY_AFTER_STYLES } from "./options.ts";

// Every field has a description: editors show it, and docs/service.md is generated from it.

const organizationSchema = z.strictObject({
  key: z.string().min(1).describe("API key, sent by clients in the header X-API-Key."),
  name: z.string().min(1).describe("Name; each organization has its own."),
  owner: z
    .string()
    .optional()
    .describe(
      "Owner whose networks are its own, so that it sees their mountpoints: aurora, meridian, north and others. Default: its name.",
    ),
  networks: z
    .union([z.literal("all"), z.array(z.string())])
    .optional()
    .describe('Codes of the networks whose stations it sees, or "all", the default.'),
  stationIds: z.array(z.string()).optional().describe("Stations that it sees beside those of its networks."),
  withheldStationIds: z.array(z.string()).optional().describe("Stations of its networks that it does not see."),
  hasLocation: z
    .boolean()
    .optional()
    .describe("Whether it sees latitude and longitude; without, both are null. Default: true."),
  maxPoints: amount
    .nullable()
    .optional()
    .describe("Data points per time series request, null for no limit. Beyond: 413. Default: 1000000."),
  deadlineMs: timerMs
    .optional()
    .describe("Milliseconds after which a time series that has not begun is refused with 408. Default: 30000."),
  maxConcurrent: amount.optional().describe("Requests under way at once. Beyond: 429. Default: 8."),
});

/** The configuration file of the service: the options of `startService` that can be written as JSON, by the same names. */
export const configSchema = z.strictObject({
  $schema: z.string().optional().describe("The address of this schema, for editors."),
  port: z.number().int().min(0).max(65_535).optional().describe("TCP port; 0 takes a free one. Default: 8470."),
  host: z.string().min(1).optional().describe("Address to listen on. Default: 127.0.0.1, this computer only."),
  seed: z.number().int().optional().describe("Seed of the simulated world. Default: 1."),
  stations: amount
    .max(100_000)
    .optional()
    .describe(
      "Number of stations, 1 to 100000. Beyond the 67 of the built-in catalogue they are made up from the seed.",
    ),
  startsAt: z
    .string()
    .optional()
    .describe("ISO 8601 date-time at which the service's clock starts; it goes on from there. Default: now."),
  organizations: z
    .array(organizationSchema)
    .min(1)
    .optional()
    .describe("Who may ask, and what. Default: the three built-in organizations."),
  decimals: z
    .number()
    .int()
    .min(0)
    .max(MAX_DECIMALS)
    .nullable()
    .optional()
    .describe(
      "Digits after the point of ztd, ztd_sigma and pwv, null for full doubles. Means are not rounded. Default: 1.",
    ),
  noData: z.enum(NO_DATA_STYLES).optional().describe("How a row shows a variable without a value. Default: null."),
  limitStyle: z.enum(LIMIT_STYLES).optional().describe("How a 413 states the limit. Default: commas."),
  retryAfterStyle: z
    .enum(RETRY_AFTER_STYLES)
    .optional()
    .describe("The form of Retry-After with a 429. Default: seconds."),
  retryAfterSeconds: z.number().int().min(0).optional().describe("What Retry-After says. Default: 1."),
  gzip: z.boolean().optional().describe("Whether answers are compressed for clients that accept it. Default: true."),
  networksPageSize: amount.max(100).optional().describe("page_size of networks where a request has none. Default: 50."),
  earlierForm: z
    .boolean()
    .optional()
    .describe("Answers with receiver_id and total_count instead of station_id and total_items. Default: false."),
  pointsPerSecond: z
    .number()
    .positive()
    .nullable()
    .optional()
    .describe(
      "Refuses a time series with 408 at once if it would take past the deadline at this speed. Default: null, none.",
    ),
  netcdfBytes: amount.optional().describe("Largest NetCDF result. Beyond: 413. Default: 150000000."),
  bodyTimeoutMs: timerMs
    .optional()
    .describe("Milliseconds in which the body of a request has to arrive. Beyond: 408. Default: 30000."),
  unreadTimeoutMs: timerMs
    .optional()
    .describe(
      "Milliseconds after which a connection is closed whose client takes nothing of a waiting answer. Default: 60000.",
    ),
  faults: z.array(ruleSchema).optional().describe("What goes wrong on purpose, and when."),
  faultSeed: z.number().int().optional().describe("Seed of the chance by which faults strike. Default: 1."),
});

/** JSON Schema (draft 2020-12) of the configuration file, as docs/service.schema.json has it. */
export function configJsonSchema(): object {
  return {
    title: "Configuration of the Zenith Desk reference service",
    ...z.toJSONSchema(configSchema, { io: "input" }),
  };
}
