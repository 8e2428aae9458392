import { extname, join } from "node:path";

/** Additions of a shell to the common policy. */
interface PolicyOptions {
  /** Additional CSP sources that the page may connect to, such as the web shell's WebSocket. */
  readonly connect?: readonly string[];
}

/**
 * The one style element that a library creates at run time: React Aria's rule for fast presses on touch screens. Its hash
 * allows exactly this text, so that no other inline style is allowed.
 */
const PRESS_STYLE_HASH = "'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='";

/** The content security policy of the page: only its own origin, no inline code, no navigation to other sites. */
function contentSecurityPolicy({ connect = [] }: PolicyOptions = {}): string {
  const directives: Readonly<Record<string, readonly string[]>> = {
    "default-src": ["'none'"],
    "script-src": ["'self'"],
    "style-src": ["'self'", PRESS_STYLE_HASH],
    "img-src": ["'self'", "data:", "blob:"],
    "font-src": ["'self'"],
    "connect-src": ["'self'", ...connect],
    "worker-src": ["'none'"],
    // Text can become HTML or script only through the page's policy (`renderer/policy.ts`).
    "require-trusted-types-for": ["'script'"],
    "trusted-types": ["default"],
    "base-uri": ["'none'"],
    "form-action": ["'none'"],
    "frame-ancestors": ["'none'"],
  };
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(" "))
    .join("; ");
}

/** The headers of every response of a shell. */
export function securityHeaders(options: PolicyOptions = {}): Readonly<Record<string, string>> {
  return {
    "content-security-policy": contentSecurityPolicy(options),
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), usb=(), serial=(), hid=(), payment=()",
  };
}

/** A file of the built page, with its HTTP headers. */
interface PageFile {
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
  const decodedPath = decodedUrl(urlPath);
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

function decodedUrl(urlPath: string): string | null {
  try {
    return decodeURIComponent(urlPath);
  } catch {
    return null;
  }
}
