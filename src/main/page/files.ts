import { extname, join } from "node:path";

/** A file of the built page, and how it is sent. */
export interface PageFile {
  readonly path: string;
  readonly contentType: string;
  readonly cacheControl: string;
}

/** What the build of the page makes. Anything else in the folder is not served. */
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

/** One part of a path: no separators, no drive or stream colon, no hidden file, nothing that climbs. */
const PART = /^[A-Za-z0-9_@][A-Za-z0-9_@.-]*$/;

/**
 * The file that a path of the page's address means, or null where it means none. Decides by the words alone: whether
 * the file exists is for the caller to find out.
 *
 * @param rootFolder folder of the built page
 * @param urlPath path of the address as it came, percent-encoded, without query: `/assets/index-1a2b.js`
 */
export function resolvePageFile(rootFolder: string, urlPath: string): PageFile | null {
  const asked = decoded(urlPath);
  if (!asked?.startsWith("/")) return null;
  const parts = (asked === "/" ? "/index.html" : asked).slice(1).split("/");
  if (!parts.every((part) => PART.test(part) && !part.endsWith("."))) return null;
  const contentType = CONTENT_TYPES[extname(parts.at(-1) ?? "").toLowerCase()];
  if (contentType === undefined) return null;
  // The build puts the hash of what is in a file of this folder into its name.
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
