import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { basename } from "node:path";
import { resolvePageFile } from "../page/files.ts";
import { sendFile, sendText } from "./answer.ts";
import { DOWNLOAD_PATH } from "./desktop.ts";
import { attachment } from "./disposition.ts";
import { admit } from "./gate.ts";
import type { Pass } from "./pass.ts";
import type { Uploads } from "./uploads.ts";

export interface PageServerOptions {
  readonly pass: Pass;
  /** Folder of the built page. */
  readonly pageFolder: string;
  /** The file behind a path of downloads; null where there is none. */
  readonly downloadOf: (urlPath: string) => Promise<string | null>;
  readonly uploads: Uploads;
}

/** Serves the page and the finished exports to whoever has the pass. */
export function createPageServer(options: PageServerOptions): Server {
  // A file to open may take its time through a tunnel; one that no longer comes is given up by itself.
  return createServer({ requestTimeout: 0 }, (request, response) => {
    answer(request, response, options).catch(() => {
      // The other side went away, or the disk failed in the middle: what was promised cannot be kept.
      if (response.headersSent) response.destroy();
      else sendText(response, 500, "This could not be read from the disk.");
    });
  });
}

async function answer(request: IncomingMessage, response: ServerResponse, options: PageServerOptions): Promise<void> {
  const admission = admit(request, options.pass);
  if (admission.kind === "refused") {
    const headers: Record<string, string> = admission.status === 405 ? { allow: admission.allow } : {};
    return sendText(response, admission.status, admission.sentence, headers);
  }
  if (admission.kind === "upload") return upload(request, response, admission.name, options.uploads);
  if (admission.kind === "welcome") return welcome(response, admission.isLed, options.pass.setCookie);
  const { path } = admission;
  if (path.startsWith(DOWNLOAD_PATH)) {
    const file = await options.downloadOf(path);
    if (file === null) return sendText(response, 404, "There is no such file. Export it once more.");
    return sendFile(request, response, file, {
      "content-type": "application/octet-stream",
      "content-disposition": attachment(basename(file)),
      "cache-control": "no-store",
    });
  }
  const page = resolvePageFile(options.pageFolder, path);
  if (page === null) return sendText(response, 404, "There is no such file.");
  return sendFile(request, response, page.path, {
    "content-type": page.contentType,
    "cache-control": page.cacheControl,
  });
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
  // What is still being sent is not read to its end.
  return sendText(response, answer.status, answer.sentence, { connection: "close" });
}

/**
 * On to the page, without the token. Where another site's page led here, a redirect would still count as that site's
 * request and come without the cookie: then the next request has to be this page's own.
 */
function welcome(response: ServerResponse, isLed: boolean, cookie: string): void {
  if (!isLed) return sendText(response, 303, "Welcome.", { location: "/", "set-cookie": cookie });
  const onward = '<!doctype html><meta http-equiv="refresh" content="0; url=/"><title>Zenith Desk</title>';
  sendText(response, 200, onward, { "content-type": "text/html; charset=utf-8", "set-cookie": cookie });
}
