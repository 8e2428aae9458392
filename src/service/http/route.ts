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

/** @returns null if no endpoint has this path */
export function routeOf(pathname: string): Route | null {
  if (!pathname.startsWith(`${API_PREFIX}/`)) return null;
  const parts = pathname.slice(API_PREFIX.length + 1).split("/");
  const [first, second] = parts;
  if (parts.length === 1 && first === "stations") return { endpoint: "stations", method: "GET", stationId: null };
  if (parts.length === 1 && first === "networks") return { endpoint: "networks", method: "GET", stationId: null };
  if (parts.length !== 2 || !second) return null;
  if (first === "stations") return { endpoint: "station", method: "GET", stationId: decoded(second) };
  if (first !== "measurements") return null;
  if (second === "query") return { endpoint: "query", method: "POST", stationId: null };
  if (second === "nearest") return { endpoint: "nearest", method: "GET", stationId: null };
  return null;
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
