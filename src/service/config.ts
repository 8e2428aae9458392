import { z } from "zod";
import { defined } from "#shared/defined.ts";
import { failure, success, type Result } from "#shared/service/error.ts";
import { parseUtc } from "#shared/time/utc.ts";
import { configSchema } from "./configSchema.ts";
import { unknownName } from "./http/parameters.ts";
import type { ServiceOptions } from "./options.ts";
import type { OrganizationOptions } from "./organizations.ts";
import type { World } from "./world/types.ts";

/**
 * Reads the options of `startService` from the text of a configuration file: a JSON object with the same names, and
 * `startsAt` (ISO 8601) instead of a clock. Unknown names are errors, so that a misspelt one is noticed.
 *
 * @returns the options, or a sentence that names the error and its place
 */
export function readServiceConfig(jsonText: string): Result<ServiceOptions, string> {
  let json: unknown;
  try {
    json = JSON.parse(jsonText.replace(/^\uFEFF/, ""));
  } catch (error) {
    return failure(`The configuration is not valid JSON: ${(error as Error).message}`);
  }
  const parsed = configSchema.safeParse(json);
  if (!parsed.success) {
    const { issues } = parsed.error;
    // A misspelt name first: the missing name is its consequence.
    return failure(invalid(issues.find((issue) => issue.code === "unrecognized_keys") ?? defined(issues[0])));
  }
  const { startsAt, $schema: _, ...options } = withoutAbsent(parsed.data);
  const twin = twice(options.organizations ?? []);
  if (twin) return failure(`The configuration is not valid at organizations: ${twin}.`);
  if (startsAt === undefined) return success(options);
  const startMs = parseUtc(startsAt);
  if (startMs === null) return failure("The configuration is not valid at startsAt: it must be an ISO 8601 date-time.");
  const loadedAt = performance.now();
  return success({ ...options, now: () => startMs + performance.now() - loadedAt });
}

/** @returns a sentence if an organization is entitled to a network or station that the world does not have, else null */
export function unknownEntitlement(organizations: readonly OrganizationOptions[], world: World): string | null {
  const codes = world.networks.map((network) => network.code);
  for (const { name, networks = [], stationIds = [], withheldStationIds = [] } of organizations) {
    const where = `The configuration is not valid at the organization “${name}”`;
    const code = networks === "all" ? undefined : networks.find((code) => !codes.includes(code));
    if (code !== undefined) return `${where}: ${unknownName("network", code, codes)}`;
    const id = [...stationIds, ...withheldStationIds].find((id) => !world.station(id));
    if (id !== undefined)
      return `${where}: there is no station ${id}. Ids depend on the seed; GET /api/v1/stations lists them.`;
  }
  return null;
}

function invalid(issue: z.core.$ZodIssue): string {
  const place = issue.path.length === 0 ? "" : ` at ${issue.path.join(".")}`;
  const [unknown] = issue.code === "unrecognized_keys" ? issue.keys : [];
  const problem = unknown === undefined ? issue.message : unknownName("name", unknown, namesAt(issue.path));
  return `The configuration is not valid${place}: ${problem}`;
}

interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  readonly oneOf?: readonly SchemaNode[];
  readonly anyOf?: readonly SchemaNode[];
}

/** The names that an object at this place of the configuration may have, whichever of its forms it takes. */
function namesAt(path: readonly PropertyKey[]): string[] {
  let nodes = [z.toJSONSchema(configSchema, { io: "input" }) as SchemaNode].flatMap(forms);
  for (const step of path) {
    const below = nodes.map((node) => (typeof step === "number" ? node.items : node.properties?.[String(step)]));
    nodes = below.filter((node) => node !== undefined).flatMap(forms);
  }
  return [...new Set(nodes.flatMap((node) => Object.keys(node.properties ?? {})))];
}

function forms(node: SchemaNode): SchemaNode[] {
  return [node, ...[...(node.oneOf ?? []), ...(node.anyOf ?? [])].flatMap(forms)];
}

/** Names and keys identify organizations, so both must be unique. */
function twice(organizations: readonly OrganizationOptions[]): string | null {
  const names = organizations.map((o) => o.name);
  const name = names.find((name, i) => names.indexOf(name) !== i);
  if (name !== undefined) return `two have the name “${name}”`;
  const keys = organizations.map((o) => o.key);
  const i = keys.findIndex((key, i) => keys.indexOf(key) !== i);
  return i < 0 ? null : `“${names[i]}” has the key of another one`;
}

type Present<T> = T extends readonly (infer Item)[]
  ? Present<Item>[]
  : T extends object
    ? { [K in keyof T]: Present<Exclude<T[K], undefined>> }
    : T;

/** JSON has no undefined, which the types of zod cannot express. */
function withoutAbsent<T>(value: T): Present<T> {
  return value as Present<T>;
}
