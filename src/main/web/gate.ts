import type { IncomingMessage } from "node:http";
import { UPLOAD_PATH } from "#shared/file/upload.ts";
import { isLoopbackHost, isOwnOrigin } from "./host.ts";
import type { Pass } from "./pass.ts";

/** What becomes of a request before anyone looks at what it asks for. */
export type Admission =
  | { readonly kind: "admitted"; readonly path: string }
  /** A page of ours sends a file to open. */
  | { readonly kind: "upload"; readonly name: string }
  /** It brought the token, and gets the cookie for it. `isLed`: a page of another site led here. */
  | { readonly kind: "welcome"; readonly isLed: boolean }
  | {
      readonly kind: "refused";
      readonly status: 400 | 403 | 405;
      readonly sentence: string;
      /** What is answered here instead, for 405. */
      readonly allow: string;
    };

const LOCAL_ONLY = "Zenith Desk answers only at localhost or 127.0.0.1 of the computer it runs on.";
const NEEDS_LINK =
  "This page needs the address that Zenith Desk printed when it started, with the token in it. Open that address; if it " +
  "is lost or the program was started again, look at its terminal.";
const FOREIGN_PAGE = "Another page asked for this; Zenith Desk answers only its own.";

/** Decides about a request of the page. */
export function admit(request: IncomingMessage, pass: Pass): Admission {
  const { host, cookie } = request.headers;
  if (!isLoopbackHost(host)) return refused(403, LOCAL_ONLY);
  const [path, query] = splitOnce(request.url ?? "/", "?");
  if (path === UPLOAD_PATH) return admitUpload(request, pass, new URLSearchParams(query).get("name"));
  if (request.method !== "GET" && request.method !== "HEAD")
    return refused(405, "Only GET and HEAD are answered here.");
  if (!path.startsWith("/")) return refused(400, "This is no path of the page.");
  if (path === "/" && pass.isToken(new URLSearchParams(query).get("token"))) {
    return { kind: "welcome", isLed: request.headers["sec-fetch-site"] === "cross-site" };
  }
  if (isFromElsewhere(request)) return refused(403, FOREIGN_PAGE);
  if (!pass.isIn(cookie)) return refused(403, NEEDS_LINK);
  return { kind: "admitted", path };
}

/** What changes something needs more than the cookie: browsers tell with every POST which page sends it. */
function admitUpload({ method, headers }: IncomingMessage, pass: Pass, name: string | null): Admission {
  if (method !== "POST") return refused(405, "A file to open is sent by POST.", "POST");
  if (!isOwnOrigin(headers.origin, headers.host ?? "")) return refused(403, FOREIGN_PAGE);
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin") return refused(403, FOREIGN_PAGE);
  if (!pass.isIn(headers.cookie)) return refused(403, NEEDS_LINK);
  return name === null ? refused(400, "The name of the file is missing.") : { kind: "upload", name };
}

/** Decides about a WebSocket: browsers always tell which page opens one, so a silent caller is refused too. */
export function admitsSocket(request: IncomingMessage, pass: Pass): boolean {
  const { host, origin, cookie } = request.headers;
  return (
    request.method === "GET" &&
    request.url === SOCKET_PATH &&
    isLoopbackHost(host) &&
    isOwnOrigin(origin, host) &&
    pass.isIn(cookie)
  );
}

export const SOCKET_PATH = "/bridge";

/**
 * Whether a page of another site or port wants to show or load something of ours: cookies do not tell ports apart. To
 * follow a link to the page itself is fine.
 */
function isFromElsewhere({ headers, url }: IncomingMessage): boolean {
  const site = headers["sec-fetch-site"];
  if (site === undefined || site === "same-origin" || site === "none") return false;
  return !(headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document" && url === "/");
}

function refused(status: 400 | 403 | 405, sentence: string, allow = "GET, HEAD"): Admission {
  return { kind: "refused", status, sentence, allow };
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}
