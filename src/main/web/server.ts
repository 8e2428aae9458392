import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { basename } from "node:path";
import type { Duplex } from "node:stream";
import { createReadStream } from "node:fs";
import { open, readFile, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import type { Bounds } from "./bounds.ts";
import { DOWNLOAD_PATH } from "./desktop.ts";
import { type Admission, admit, limitUnauthenticated, type SignIns, type UnauthenticatedConnections } from "./gate.ts";
import type { Uploads } from "./uploads.ts";
import { resolvePageFile, securityHeaders } from "../page.ts";

type Headers = Readonly<Record<string, string>>;

/** Sends a short text, such as an error message. */
function sendText(response: ServerResponse, status: number, text: string, headers: Headers = {}): void {
  const bytes = Buffer.from(`${text}\n`);
  const isEmpty = status === NO_CONTENT;
  response.writeHead(status, {
    ...securityHeaders(),
    ...(isEmpty ? {} : { "content-type": "text/plain; charset=utf-8", "content-length": bytes.length }),
    "cache-control": "no-store",
    ...headers,
  });
  response.end(isEmpty ? undefined : bytes);
}

const NO_CONTENT = 204;

/** Sends bytes from memory. */
function sendBytes(request: IncomingMessage, response: ServerResponse, bytes: Buffer, headers: Headers): void {
  response.writeHead(200, { ...securityHeaders(), ...headers, "content-length": bytes.length });
  response.end(request.method === "HEAD" ? undefined : bytes);
}

/** Sends a file as a stream; 404 if it does not exist. */
async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  headers: Headers,
): Promise<void> {
  const file = await open(path, "r").catch(() => null);
  try {
    const stat = await file?.stat();
    if (!file || !stat?.isFile()) return sendText(response, 404, "There is no such file.");
    response.writeHead(200, { ...securityHeaders(), ...headers, "content-length": stat.size });
    if (request.method === "HEAD" || stat.size === 0) return void response.end();
    await pipeline(createReadStream("", { fd: file, autoClose: false, end: stat.size - 1 }), response);
  } finally {
    await file?.close();
  }
}

interface PageServerOptions {
  readonly signIns: SignIns;
  /** Folder of the built page. */
  readonly pageFolder: string;
  /** The file for a download path, or null. */
  readonly downloadOf: (urlPath: string) => Promise<string | null>;
  readonly uploads: Uploads;
  /** All browsers were signed out: close their windows. */
  readonly onSignOut: () => void;
  /** Kills the core, so that another one is started. False if it does not end. */
  readonly restartCore: () => Promise<boolean>;
  readonly bounds: Bounds;
}

interface PageServer {
  readonly server: Server;
  readonly unauthenticated: UnauthenticatedConnections;
}

/** Number of timeout checks per time limit. */
const CHECKS_PER_LIMIT = 10;
/** A page has some dozens of files; more pipelined requests of one connection would only fill memory. */
const MAX_REQUESTS = 200;
const STUCK =
  "The core cannot be stopped. Stop Zenith Desk in its terminal with Ctrl+C and restart it; no data are lost.";

/** Serves the page to everybody on this computer, and user data to signed-in browsers. */
export function createPageServer(options: PageServerOptions): PageServer {
  const { bounds } = options;
  const pageOf = createPageFiles(options.pageFolder);
  const downloads = { active: 0 };
  /** Connections with an upload or download, which end when everybody is signed out. */
  const transfers = new Set<Duplex>();
  const server = createServer(
    {
      // Uploads through a tunnel may be slow: they have a minimum rate instead.
      requestTimeout: 0,
      headersTimeout: bounds.headMs,
      connectionsCheckingInterval: bounds.headMs / CHECKS_PER_LIMIT,
    },
    (request, response) => {
      answer(request, response).catch(() => {
        // The client disconnected, or the disk failed during the response.
        if (response.headersSent) response.destroy();
        else sendText(response, 500, "This could not be read from the disk.");
      });
    },
  );
  server.maxRequestsPerSocket = MAX_REQUESTS;
  server.setTimeout(bounds.idleMs);
  server.keepAliveTimeout = Math.min(server.keepAliveTimeout, bounds.idleMs);
  const unauthenticated = limitUnauthenticated(server, bounds.unauthenticated);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const admission = admit(request, options.signIns);
    if (admission.kind === "upload") {
      return runTransfer(request.socket, () => upload(request, response, admission.name, options.uploads));
    }
    // An unread body would keep the connection open.
    if (hasBody(request)) response.setHeader("connection", "close");
    switch (admission.kind) {
      case "refused": {
        const headers: Record<string, string> = admission.status === 405 ? { allow: admission.allow } : {};
        return sendText(response, admission.status, admission.sentence, headers);
      }
      case "signIn": {
        const secret = options.signIns.redeemLink(admission.token);
        return secret === null
          ? sendText(response, 401, "This link was already used or has expired.")
          : sendText(response, 200, secret);
      }
      case "prove":
        return sendText(response, 200, options.signIns.prove(admission.host, admission.nonce));
      case "call":
        return call(response, admission);
      case "download":
        return runTransfer(request.socket, () => download(request, response, admission.ticket));
      case "page":
        return sendPage(request, response, await pageOf(admission.path));
    }
  }

  async function runTransfer(connection: Duplex, work: () => Promise<void>): Promise<void> {
    unauthenticated.admit(connection);
    transfers.add(connection);
    try {
      await work();
    } finally {
      transfers.delete(connection);
    }
  }

  async function call(response: ServerResponse, admission: Extract<Admission, { readonly kind: "call" }>) {
    const { signIns } = options;
    switch (admission.call) {
      case "check":
        return sendText(response, 204, "");
      case "link":
        return sendText(response, 200, signIns.newLink());
      case "sign-out":
        signIns.signOutAll();
        for (const connection of transfers) connection.destroy();
        options.onSignOut();
        return sendText(response, 204, "");
      case "ticket": {
        const path = admission.query.get("path") ?? "";
        const name = path.split("/").at(-1) ?? "";
        return sendText(response, 200, `${DOWNLOAD_PATH}${signIns.newTicket(path)}/${name}`);
      }
      case "restart":
        return (await options.restartCore()) ? sendText(response, 204, "") : sendText(response, 504, STUCK);
    }
  }

  async function download(request: IncomingMessage, response: ServerResponse, ticket: string): Promise<void> {
    const path = options.signIns.pathOf(ticket, request.method === "GET");
    if (path === null)
      return sendText(response, 403, "This download address has expired. Start the download again in the window.");
    if (downloads.active >= bounds.downloads)
      return sendText(response, 503, "Too many downloads at once. Try again when one has ended.");
    request.socket.setTimeout(bounds.downloadIdleMs);
    downloads.active++;
    try {
      const file = path.startsWith(DOWNLOAD_PATH) ? await options.downloadOf(path) : null;
      if (file === null) return sendText(response, 404, "There is no such file. Export it again.");
      await sendFile(request, response, file, {
        "content-type": "application/octet-stream",
        "content-disposition": attachment(basename(file)),
        "cache-control": "no-store",
        connection: "close",
      });
    } finally {
      downloads.active--;
    }
  }
  return { server, unauthenticated };
}

function sendPage(request: IncomingMessage, response: ServerResponse, page: PageBytes | null): void {
  if (page === null) return sendText(response, 404, "There is no such file.");
  sendBytes(request, response, page.bytes, { "content-type": page.contentType, "cache-control": page.cacheControl });
}

async function upload(
  request: IncomingMessage,
  response: ServerResponse,
  name: string,
  uploads: Uploads,
): Promise<void> {
  const answer = await uploads.take(request, name);
  if (answer.kind === "granted")
    return sendText(response, 200, JSON.stringify(answer.grant), { "content-type": "application/json" });
  // The rest of the body is not read.
  return sendText(response, answer.status, answer.sentence, { connection: "close" });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";
}

/**
 * `Content-Disposition` for a download: an ASCII name for old programs, and the real one after RFC 5987. The name cannot
 * end the header or start another parameter.
 */
export function attachment(fileName: string): string {
  const plain = fileName.replaceAll(/[^\w .()+-]/g, "_");
  const encoded = encodeURIComponent(fileName.toWellFormed()).replaceAll(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/** A file of the page in memory, with its HTTP headers. */
interface PageBytes {
  readonly bytes: Buffer;
  readonly contentType: string;
  readonly cacheControl: string;
}

interface CachedFile {
  readonly version: string;
  readonly bytes: Promise<Buffer>;
}

/**
 * Caches the files of the page in memory: one copy for any number of slow readers, and no open files.
 *
 * @returns a function that returns the file for a path, or null
 */
function createPageFiles(folder: string): (urlPath: string) => Promise<PageBytes | null> {
  const cache = new Map<string, CachedFile>();

  async function bytesOf(path: string): Promise<Buffer | null> {
    const found = await stat(path).catch(() => null);
    if (!found?.isFile()) return null;
    const version = `${found.size} ${found.mtimeMs} ${found.ino}`;
    const cached = cache.get(path);
    if (cached?.version === version) return cached.bytes;
    const bytes = readFile(path);
    cache.set(path, { version, bytes });
    bytes.catch(() => cache.delete(path));
    return bytes;
  }

  return async (urlPath) => {
    const file = resolvePageFile(folder, urlPath);
    const bytes = file && (await bytesOf(file.path));
    return file && bytes && { bytes, contentType: file.contentType, cacheControl: file.cacheControl };
  };
}
