import { readFile } from "node:fs/promises";
import { resolvePageFile, securityHeaders } from "../page.ts";
import { PAGE_ORIGIN } from "./permissions.ts";

const HOST = new URL(PAGE_ORIGIN).host;

/** Answers a request of the `app` scheme from the folder of the built page only. */
export async function servePage(rootFolder: string, request: Request): Promise<Response> {
  const headers = securityHeaders();
  const { host, pathname } = new URL(request.url);
  if (host !== HOST) return new Response("No such page.", { status: 404, headers });
  if (request.method !== "GET" && request.method !== "HEAD")
    return new Response("Method not allowed", { status: 405, headers: { ...headers, allow: "GET, HEAD" } });
  const file = resolvePageFile(rootFolder, pathname);
  const body = file && (await readIfThere(file.path));
  if (!file || !body) return new Response("No such file.", { status: 404, headers });
  return new Response(request.method === "HEAD" ? null : body, {
    headers: { ...headers, "content-type": file.contentType, "cache-control": file.cacheControl },
  });
}

async function readIfThere(path: string): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    return await readFile(path);
  } catch {
    return null;
  }
}
