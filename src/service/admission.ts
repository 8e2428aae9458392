import type { IncomingMessage } from "node:http";
import { defined } from "#shared/defined.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { failure, success, type Result } from "#shared/service/error.ts";
import { API_KEY_HEADER } from "#shared/service/query.ts";
import { refusal, type Refusal } from "./http/refusal.ts";
import { methodsOf, routeOf, type Route } from "./http/route.ts";
import type { ServiceSettings } from "./options.ts";
import type { Keyring, Organization } from "./organizations.ts";

/** Finds the endpoint of a request: 404 for an unknown path, 405 for another method. */
export function findRoute(request: IncomingMessage, pathname: string): Result<Route, Refusal> {
  const route = routeOf(pathname);
  if (!route) return failure(refusal(404, "There is nothing at this path."));
  const methods = methodsOf(route);
  if (methods.includes(request.method ?? "")) return success(route);
  return failure(
    refusal(405, `Only ${methods.join(" and ")} may be used here.`, { headers: { Allow: methods.join(", ") } }),
  );
}

/** Finds the organization by the header `X-API-Key` (5): 401 without a key, and with an unknown one. */
export function authenticate(request: IncomingMessage, keyring: Keyring): Result<Organization, Refusal> {
  const key = request.headers[API_KEY_HEADER.toLowerCase()];
  if (typeof key !== "string" || key === "") return failure(refusal(401, `The header ${API_KEY_HEADER} is missing.`));
  const organization = keyring.find(key);
  return organization ? success(organization) : failure(refusal(401, "The API key is not valid."));
}

/** Limits the active requests of each organization. */
export class Limiter {
  readonly #active = new Map<string, number>();

  /** @returns a function that releases the permit, to be called once; null if all permits are taken */
  acquire(organization: Organization): (() => void) | null {
    const { name } = organization;
    const taken = this.#active.get(name) ?? 0;
    if (taken >= organization.maxConcurrent) return null;
    this.#active.set(name, taken + 1);
    return () => void this.#active.set(name, defined(this.#active.get(name)) - 1);
  }
}

/** 429 with `Retry-After` in the configured form (section 7). */
export function tooBusy(settings: ServiceSettings, nowMs: UtcMs): Refusal {
  const value = retryAfter(settings, nowMs);
  const headers = value === null ? {} : { "Retry-After": value };
  return refusal(429, "Too many concurrent requests of your organization.", { headers });
}

function retryAfter({ retryAfterSeconds: seconds, retryAfterStyle }: ServiceSettings, nowMs: UtcMs): string | null {
  return {
    seconds: String(seconds),
    date: httpDate(nowMs + seconds * 1_000),
    pastDate: httpDate(nowMs - seconds * 1_000),
    negative: "-5",
    huge: "1000000000",
    junk: "soon",
    missing: null,
  }[retryAfterStyle];
}

/** Formats a time as an HTTP date: `Sun, 06 Nov 1994 08:49:37 GMT`. */
export function httpDate(ms: UtcMs): string {
  return new Date(ms).toUTCString();
}
