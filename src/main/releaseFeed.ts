import { isLoopback } from "./client/http/baseUrl.ts";

/** Where electron-builder publishes installers (`publish.url`), written into the bundles; not there when run from sources. */
declare const RELEASES_OF_BUILD: string | undefined;

/** The file that tells the newest version, beside the installers (`scripts/manifests.ts`). */
export const FEED_FILE = "latest.json";

/**
 * Where installers are published: ZENITH_RELEASES, or the place that the build was made for. Only https, but for a server
 * on this computer.
 *
 * @returns an address that ends in “/”; null where there is none
 */
export function releaseAddress(env: NodeJS.ProcessEnv = process.env): URL | null {
  const built = typeof RELEASES_OF_BUILD === "string" ? RELEASES_OF_BUILD : "";
  const url = URL.parse((env["ZENITH_RELEASES"] ?? built).replace(/\/*$/, "/"));
  if (url === null || url.username !== "" || url.password !== "") return null;
  // A placeholder, which is nobody's name (RFC 2606).
  if (url.hostname.endsWith(".invalid")) return null;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url)) ? url : null;
}
