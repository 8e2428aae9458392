import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { securityHeaders } from "../page/headers.ts";

type Headers = Readonly<Record<string, string>>;

/** A short text: a refusal, or what there is to say in the place of a page. */
export function sendText(response: ServerResponse, status: number, text: string, headers: Headers = {}): void {
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

/** Sends what is held in memory. */
export function sendBytes(request: IncomingMessage, response: ServerResponse, bytes: Buffer, headers: Headers): void {
  response.writeHead(200, { ...securityHeaders(), ...headers, "content-length": bytes.length });
  response.end(request.method === "HEAD" ? undefined : bytes);
}

/** Sends a file as a stream; 404 where there is none. */
export async function sendFile(
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
