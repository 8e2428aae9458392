import { defined } from "#shared/defined.ts";
import { API_PREFIX } from "#shared/service/query.ts";

export const ENDPOINTS = ["stations", "station", "networks", "query", "nearest"] as const;
export type Endpoint = (typeof ENDPOINTS)[number];

/** Errors of catalogue and measurements have different bodies (section 7). */
export type EndpointGroup = "catalogue" | "measurements";

export interface Route {
  readonly endpoint: Endpoint;
  readonly method: "GET" | "POST";
  /** Decoded; only for the endpoint of one station. */
  readonly stationId: string | null;
}

/** Methods that a route accepts: `HEAD` is `GET` without the body (RFC 9110, 9.3.2). */
export function methodsOf(route: Route): readonly string[] {
  return route.method === "GET" ? ["GET", "HEAD"] : [route.method];
}

const ROUTES: Readonly<Record<string, Omit<Route, "stationId">>> = {
  stations: { endpoint: "stations", method: "GET" },
  networks: { endpoint: "networks", method: "GET" },
  "measurements/query": { endpoint: "query", method: "POST" },
  "measurements/nearest": { endpoint: "nearest", method: "GET" },
};

/** @returns null if no endpoint has this path */
export function routeOf(pathname: string): Route | null {
  if (!pathname.startsWith(`${API_PREFIX}/`)) return null;
  const path = pathname.slice(API_PREFIX.length + 1);
  if (Object.hasOwn(ROUTES, path)) return { ...defined(ROUTES[path]), stationId: null };
  const [, id] = /^stations\/([^/]+)$/.exec(path) ?? [];
  return id === undefined ? null : { endpoint: "station", method: "GET", stationId: decoded(id) };
}

/** The form of an error body; for unknown paths by their first word. */
export function groupOf(pathname: string): EndpointGroup {
  return pathname.startsWith(`${API_PREFIX}/measurements`) ? "measurements" : "catalogue";
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
