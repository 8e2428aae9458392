import { failure, type Result, success } from "#shared/service/error.ts";

/** The next request of a chain of redirects. */
interface Hop {
  readonly method: "GET" | "POST";
  readonly url: URL;
  readonly keepsBody: boolean;
}

export const MAX_HOPS = 5;

export function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}

/**
 * Returns the target of a redirect. Only the same scheme, host and port are the same origin: the key is sent nowhere
 * else, and not over plain http after https. 303 requests the result by GET; after 301 and 302 the method stays as it
 * is (RFC 9110 allows either), because a query without its body would be a different one.
 *
 * @returns the next request, or the refused target as text
 */
export function nextHop(
  status: number,
  from: URL,
  method: "GET" | "POST",
  location: string | undefined,
): Result<Hop, string> {
  const url = location === undefined ? null : URL.parse(location, from.href);
  if (url === null) return failure(location === undefined ? "nowhere" : "an unreadable address");
  if (url.origin !== from.origin || url.username !== "" || url.password !== "") {
    return failure(url.origin === "null" ? url.protocol : url.origin);
  }
  const keeps = status !== 303;
  return success({ method: keeps ? method : "GET", url, keepsBody: keeps && method === "POST" });
}
