import { extname, join } from "node:path";

/** A file of the built page, with its HTTP headers. */
export interface PageFile {
  readonly path: string;
  readonly contentType: string;
  readonly cacheControl: string;
}

/** File types of the built page. Others are not served. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".wasm": "application/wasm",
};

/** One part of a path: no separators, no colons (drives, streams), no hidden files, no `..`. */
const PART = /^[A-Za-z0-9_@][A-Za-z0-9_@.-]*$/;

/**
 * The file for a path of an address; null if the path is invalid. Does not check whether the file exists.
 *
 * @param rootFolder folder of the built page
 * @param urlPath path of the address as it came, percent-encoded, without query: `/assets/index-1a2b.js`
 */
export function resolvePageFile(rootFolder: string, urlPath: string): PageFile | null {
  const decodedPath = decoded(urlPath);
  if (!decodedPath?.startsWith("/")) return null;
  const parts = (decodedPath === "/" ? "/index.html" : decodedPath).slice(1).split("/");
  if (!parts.every((part) => PART.test(part) && !part.endsWith("."))) return null;
  const contentType = CONTENT_TYPES[extname(parts.at(-1) ?? "").toLowerCase()];
  if (contentType === undefined) return null;
  // Names in this folder contain a hash of the content.
  const hashed = parts.length > 1 && parts[0] === "assets";
  return {
    path: join(rootFolder, ...parts),
    contentType,
    cacheControl: hashed ? "public, max-age=31536000, immutable" : "no-cache",
  };
}

function decoded(urlPath: string): string | null {
  try {
    return decodeURIComponent(urlPath);
  } catch {
    return null;
  }
}
