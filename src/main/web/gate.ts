import { createHash, createHmac, randomBytes } from "node:crypto";
import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import {
  SECRET_PROTOCOL_START,
  SHELL_CALLS,
  SHELL_PATH,
  type ShellCall,
  SOCKET_PROTOCOL,
  UPLOAD_PATH,
} from "#shared/bridge/transport/webShell.ts";
import { DOWNLOAD_PATH } from "./desktop.ts";
import { isLoopbackHost, isOwnOrigin } from "./host.ts";

/** Beyond this number, the oldest unused links are invalid. */
const MAX_LINKS = 32;
const MAX_TICKETS = 256;
const TICKET_MS = 60_000;

/**
 * Authenticates browsers. Links, secrets and tickets are 256 random bits each, stored as digests, so that the time of a
 * lookup reveals nothing about them. All end with the program.
 */
export class SignIns {
  /** A secret for the command line of the same user, valid until the program ends. */
  readonly ownSecret: string = newSecret();
  readonly #links = new Set<string>();
  readonly #secrets = new Set<string>();
  readonly #tickets = new Map<string, { readonly path: string; readonly untilMs: number }>();

  /** Creates the token of a link that signs in one browser, once. */
  newLink(): string {
    const token = newSecret();
    this.#links.add(digest(token));
    dropOldest(this.#links, MAX_LINKS);
    return token;
  }

  /** Exchanges the token of a link for the secret of a new browser; null if the link was used or is unknown. */
  redeemLink(token: string): string | null {
    if (!this.#links.delete(digest(token))) return null;
    const secret = newSecret();
    this.#secrets.add(digest(secret));
    return secret;
  }

  isValid(secret: string): boolean {
    return this.#secrets.has(digest(secret)) || digest(secret) === digest(this.ownSecret);
  }

  /** Proves to the command line that this is the shell. */
  prove(host: string, nonce: string): string {
    return shellProof(this.ownSecret, host, nonce);
  }

  /** Creates a ticket for one download of a path, valid for a short time. */
  newTicket(path: string): string {
    const ticket = newSecret();
    this.#tickets.set(digest(ticket), { path, untilMs: performance.now() + TICKET_MS });
    dropOldest(this.#tickets, MAX_TICKETS);
    return ticket;
  }

  /** The path of a ticket; null if it is invalid. `isUse`: invalidates the ticket. */
  pathOf(ticket: string, isUse: boolean): string | null {
    const key = digest(ticket);
    const found = this.#tickets.get(key);
    if (isUse) this.#tickets.delete(key);
    return found && found.untilMs > performance.now() ? found.path : null;
  }

  /** Invalidates all links, secrets and tickets. */
  signOutAll(): void {
    for (const entries of [this.#links, this.#secrets, this.#tickets]) entries.clear();
  }
}

/** What only who knows the secret can answer to a nonce, at this host and port. */
export function shellProof(secret: string, host: string, nonce: string): string {
  return createHmac("sha256", secret).update(`${host} ${nonce}`).digest("base64url");
}

function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}

function dropOldest(entries: Set<string> | Map<string, unknown>, max: number): void {
  for (const key of entries.keys()) {
    if (entries.size <= max) return;
    entries.delete(key);
  }
}

/** The access decision for a request. */
export type Admission =
  /** A file of the page, which contains no user data. */
  | { readonly kind: "page"; readonly path: string }
  | { readonly kind: "signIn"; readonly token: string }
  | { readonly kind: "prove"; readonly host: string; readonly nonce: string }
  | {
      readonly kind: "call";
      readonly call: Exclude<ShellCall, "sign-in" | "prove">;
      readonly query: URLSearchParams;
    }
  /** Our page uploads a file to open. */
  | { readonly kind: "upload"; readonly name: string }
  | { readonly kind: "download"; readonly ticket: string }
  | {
      readonly kind: "refused";
      readonly status: 400 | 401 | 403 | 405;
      readonly sentence: string;
      /** Allowed methods, for 405. */
      readonly allow: string;
    };

const LOCAL_ONLY = "Zenith Desk answers only at localhost or 127.0.0.1 of the computer it runs on.";
const NOT_SIGNED_IN = "This browser is not signed in. “zenith web --link” prints a link that signs it in.";
const FOREIGN_PAGE = "Another page made this request; Zenith Desk answers only its own.";

/** Decides whether and how to answer a request. */
export function admit(request: IncomingMessage, signIns: SignIns): Admission {
  if (!isLoopbackHost(request.headers.host)) return refused(403, LOCAL_ONLY);
  const [path, query] = splitOnce(request.url ?? "/", "?");
  const call = SHELL_CALLS.find((name) => path === SHELL_PATH + name);
  if (call !== undefined || path === UPLOAD_PATH) return admitPost(request, call, new URLSearchParams(query), signIns);
  if (request.method !== "GET" && request.method !== "HEAD")
    return refused(405, "Only GET and HEAD are answered here.");
  if (!path.startsWith("/")) return refused(400, "This is not a path of the page.");
  if (isCrossSite(request)) return refused(403, FOREIGN_PAGE);
  if (path.startsWith(DOWNLOAD_PATH)) {
    const [ticket = ""] = path.slice(DOWNLOAD_PATH.length).split("/");
    return { kind: "download", ticket };
  }
  return { kind: "page", path };
}

/** Decides about a POST: it must come from our own page, which browsers report, and have its secret. */
function admitPost(
  { method, headers }: IncomingMessage,
  call: ShellCall | undefined,
  query: URLSearchParams,
  signIns: SignIns,
): Admission {
  if (method !== "POST") return refused(405, "Use POST.", "POST");
  if (!isOwnOrigin(headers.origin, headers.host ?? "")) return refused(403, FOREIGN_PAGE);
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin") return refused(403, FOREIGN_PAGE);
  if (call === "prove") return { kind: "prove", host: headers.host ?? "", nonce: query.get("nonce") ?? "" };
  const [, secret] = /^Bearer ([\w-]{1,100})$/.exec(headers.authorization ?? "") ?? [];
  if (secret === undefined) return refused(401, NOT_SIGNED_IN);
  if (call === "sign-in") return { kind: "signIn", token: secret };
  if (!signIns.isValid(secret)) return refused(401, NOT_SIGNED_IN);
  if (call !== undefined) return { kind: "call", call, query };
  const name = query.get("name");
  return name === null ? refused(400, "The name of the file is missing.") : { kind: "upload", name };
}

/** Decides about a WebSocket. Browsers always send the origin, so a request without one is refused too. */
export function admitsSocket(request: IncomingMessage, signIns: SignIns): boolean {
  const { host, origin } = request.headers;
  const [first, second = "", ...more] = (request.headers["sec-websocket-protocol"] ?? "")
    .split(",")
    .map((p) => p.trim());
  return (
    request.method === "GET" &&
    request.url === SOCKET_PATH &&
    isLoopbackHost(host) &&
    isOwnOrigin(origin, host) &&
    first === SOCKET_PROTOCOL &&
    more.length === 0 &&
    second.startsWith(SECRET_PROTOCOL_START) &&
    signIns.isValid(second.slice(SECRET_PROTOCOL_START.length))
  );
}

export const SOCKET_PATH = "/bridge";

/** Whether a page of another site or port embeds or loads our content. Following a link to our page is allowed. */
function isCrossSite({ headers, url }: IncomingMessage): boolean {
  const site = headers["sec-fetch-site"];
  if (site === undefined || site === "same-origin" || site === "none") return false;
  return !(headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document" && url === "/");
}

function refused(status: 400 | 401 | 403 | 405, sentence: string, allow = "GET, HEAD"): Admission {
  return { kind: "refused", status, sentence, allow };
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

/** Connections that are not authenticated yet. */
export interface UnauthenticatedConnections {
  /** Marks a connection as authenticated, so that it no longer counts. */
  admit(connection: Duplex): void;
}

/**
 * Limits the number of unauthenticated connections. A new one replaces the oldest, so that a flood of connections ends
 * itself, and a browser can still connect.
 */
export function limitUnauthenticated(server: Server, max: number): UnauthenticatedConnections {
  const waiting = new Set<Duplex>();
  server.on("connection", (socket: Socket) => {
    waiting.add(socket);
    socket.once("close", () => waiting.delete(socket));
    if (waiting.size <= max) return;
    const [oldest] = waiting;
    oldest?.destroy();
  });
  return { admit: (connection) => void waiting.delete(connection) };
}
