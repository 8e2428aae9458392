import { z } from "zod";
import { failure, success, type Result } from "#shared/service/error.ts";
import { parseUtc } from "#shared/time/utc.ts";
import { MAX_DECIMALS } from "./measurements/digits.ts";
import { LIMIT_STYLES, NO_DATA_STYLES, RETRY_AFTER_STYLES, type ServiceOptions } from "./options.ts";

const amount = z.number().int().min(1);

const organizationSchema = z.strictObject({
  key: z.string().min(1),
  name: z.string().min(1),
  owner: z.string().optional(),
  networks: z.union([z.literal("all"), z.array(z.string())]).optional(),
  stationIds: z.array(z.string()).optional(),
  withheldStationIds: z.array(z.string()).optional(),
  hasLocation: z.boolean().optional(),
  maxPoints: amount.nullable().optional(),
  deadlineMs: amount.optional(),
  maxConcurrent: amount.optional(),
});

const faultSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("status"),
    status: z.number().int().min(400).max(599),
    message: z.string().optional(),
    retryAfter: z.string().optional(),
  }),
  z.strictObject({ kind: z.literal("slow"), delayMs: amount }),
  z.strictObject({ kind: z.literal("drip"), pieceBytes: amount, delayMs: amount }),
  z.strictObject({ kind: z.literal("resetBefore") }),
  z.strictObject({ kind: z.literal("resetInside"), afterBytes: amount }),
  z.strictObject({
    kind: z.literal("truncated"),
    how: z.enum(["json", "gzip", "chunked", "length"]),
    afterBytes: amount,
  }),
  z.strictObject({ kind: z.literal("html") }),
  z.strictObject({
    kind: z.literal("redirect"),
    origin: z.string().optional(),
    status: z.number().int().min(301).max(308).optional(),
  }),
  z.strictObject({ kind: z.literal("wrongCount"), by: z.number().int() }),
  z.strictObject({ kind: z.literal("unsorted") }),
  z.strictObject({ kind: z.literal("duplicated") }),
  z.strictObject({ kind: z.literal("foreignStation") }),
  z.strictObject({ kind: z.literal("outOfRange") }),
]);

const ruleSchema = z.strictObject({
  fault: faultSchema,
  endpoints: z.array(z.enum(["stations", "station", "networks", "query", "nearest"])).optional(),
  next: amount.optional(),
  probability: z.number().min(0).max(1).optional(),
});

const configSchema = z.strictObject({
  port: z.number().int().min(0).max(65_535).optional(),
  host: z.string().min(1).optional(),
  seed: z.number().int().optional(),
  /** A moment that the service takes for its start; its clock goes on from there. */
  startsAt: z.string().optional(),
  organizations: z.array(organizationSchema).min(1).optional(),
  decimals: z.number().int().min(0).max(MAX_DECIMALS).nullable().optional(),
  noData: z.enum(NO_DATA_STYLES).optional(),
  limitStyle: z.enum(LIMIT_STYLES).optional(),
  retryAfterStyle: z.enum(RETRY_AFTER_STYLES).optional(),
  retryAfterSeconds: z.number().int().min(0).optional(),
  gzip: z.boolean().optional(),
  networksPageSize: amount.max(100).optional(),
  earlierForm: z.boolean().optional(),
  pointsPerSecond: z.number().positive().nullable().optional(),
  netcdfBytes: amount.optional(),
  faults: z.array(ruleSchema).optional(),
  faultSeed: z.number().int().optional(),
});

/**
 * Reads the options of `startService` from the text of a configuration file: a JSON object with the same names, and
 * `startsAt` (ISO 8601) instead of a clock. Unknown names are errors, so that none is misspelt unnoticed.
 *
 * @returns the options, or a sentence that says what is wrong and where
 */
export function readServiceConfig(jsonText: string): Result<ServiceOptions, string> {
  let json: unknown;
  try {
    json = JSON.parse(jsonText);
  } catch (error) {
    return failure(`The configuration is not valid JSON: ${(error as Error).message}`);
  }
  const parsed = configSchema.safeParse(json);
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    const place = issue.path.length === 0 ? "" : ` at ${issue.path.join(".")}`;
    return failure(`The configuration is not valid${place}: ${issue.message}`);
  }
  const { startsAt, ...options } = withoutAbsent(parsed.data);
  if (startsAt === undefined) return success(options);
  const startMs = parseUtc(startsAt);
  if (startMs === null) return failure("The configuration is not valid at startsAt: it must be an ISO 8601 date-time.");
  const loadedAt = performance.now();
  return success({ ...options, now: () => startMs + performance.now() - loadedAt });
}

type Present<T> = T extends readonly (infer Item)[]
  ? Present<Item>[]
  : T extends object
    ? { [K in keyof T]: Present<Exclude<T[K], undefined>> }
    : T;

/** JSON has no undefined: what is absent is absent, which the types of zod cannot tell. */
function withoutAbsent<T>(value: T): Present<T> {
  return value as Present<T>;
}
