import { isLoopback } from "./client/http/baseUrl.ts";

/** Where electron-builder publishes installers (`publish.url`), defined in bundles; undefined when run from sources. */
declare const RELEASES_OF_BUILD: string | undefined;

/** The file with the newest version, beside the installers (`scripts/manifests.ts`). */
export const FEED_FILE = "latest.json";

/**
 * The address of the installers: ZENITH_RELEASES, or the one of the build. Only https, except for a server on this
 * computer.
 *
 * @returns an address that ends in “/”, or null
 */
export function releaseAddress(env: NodeJS.ProcessEnv = process.env): URL | null {
  const built = typeof RELEASES_OF_BUILD === "string" ? RELEASES_OF_BUILD : "";
  const url = URL.parse((env["ZENITH_RELEASES"] ?? built).replace(/\/*$/, "/"));
  if (url === null || url.username !== "" || url.password !== "") return null;
  // A placeholder (RFC 2606).
  if (url.hostname.endsWith(".invalid")) return null;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url)) ? url : null;
}
