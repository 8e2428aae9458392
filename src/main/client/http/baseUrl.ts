import { failure, type Result, success } from "#shared/service/error.ts";

/** The address of a service: its origin, and the path before `/api/v1` without a trailing slash ("" at the root). */
export interface BaseUrl {
  readonly origin: string;
  readonly path: string;
}

const PREFIX_AND_BEHIND = /\/api\/v1(?:\/.*)?$/i;

/**
 * Reads the address of a service as a user types or pastes it: with or without `/api/v1`, an endpoint after it, or a
 * trailing slash. A missing scheme is not guessed: the key could be sent in clear text.
 *
 * @returns the address, or a sentence that says what is wrong with it
 */
export function readBaseUrl(text: string): Result<BaseUrl, string> {
  const typed = text.trim();
  if (typed === "") return failure("The address of the service is empty. Enter it as https://service.example.org.");
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(typed)) {
    return failure(`The address “${typed}” has no https:// in front. Enter it as ${exampleFor(typed)}.`);
  }
  const url = URL.parse(typed);
  if (url === null) return failure(`“${typed}” is not a valid address. Enter it as https://service.example.org.`);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return failure(`The address begins with ${url.protocol}//, which this service is not reached by. Use https://.`);
  }
  if (url.username !== "" || url.password !== "") {
    return failure("The address holds a user name or password. Leave them out: the API key is entered on its own.");
  }
  if (url.search !== "" || url.hash !== "") {
    return failure("The address holds a query (? or #). Enter only the part before it.");
  }
  return success({ origin: url.origin, path: url.pathname.replace(PREFIX_AND_BEHIND, "").replace(/\/+$/, "") });
}

/** The typed text with https://, or http:// if it is this computer; another text if that is not a valid address. */
function exampleFor(typed: string): string {
  const rest = typed.replace(/^\/+/, "");
  const url = URL.parse(`https://${rest}`);
  if (url === null) return "https://service.example.org";
  return `${isLoopback(url) ? "http" : "https"}://${rest}`;
}

/** Whether a host is this computer, so that traffic never leaves it. */
export function isLoopback(url: URL): boolean {
  const host = url.hostname;
  return host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

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
