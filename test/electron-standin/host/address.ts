import type { Privileges } from "electron";

/** Schemes of the application, declared before it is ready. */
const schemes = new Set<string>();

export function declareSchemes(
  declared: readonly { readonly scheme: string; readonly privileges?: Privileges }[],
): void {
  for (const { scheme, privileges } of declared) {
    if (!privileges?.standard || !privileges.secure)
      throw new Error(`The stand-in serves ${scheme}: only as a standard and secure scheme.`);
    schemes.add(scheme);
  }
}

/**
 * Maps `app://zenith/a` to `https://zenith.app.invalid/a`, because Chromium does not support the scheme; nobody can own
 * that name.
 */
export function toPageUrl(url: string): string {
  const { scheme, host, rest } = /^(?<scheme>[a-z]+):\/\/(?<host>[^/?#]+)(?<rest>.*)$/s.exec(url)?.groups ?? {};
  if (scheme === undefined || !schemes.has(scheme)) return url;
  return `https://${host}.${scheme}.invalid${rest}`;
}

export function fromPageUrl(url: string): string {
  if (url.startsWith("blob:")) return `blob:${fromPageUrl(url.slice(5))}`;
  const { host, scheme, rest } =
    /^https:\/\/(?<host>[^/?#]+)\.(?<scheme>[a-z]+)\.invalid(?<rest>.*)$/s.exec(url)?.groups ?? {};
  if (scheme === undefined || !schemes.has(scheme)) return url;
  return `${scheme}://${host}${rest}`;
}

/** The origin as Electron reports it for a standard scheme. */
export function originOf(url: string): string {
  const own = /^([a-z]+):\/\/([^/?#]+)/.exec(url);
  return own && schemes.has(own[1] ?? "") ? own[0] : URL.canParse(url) ? new URL(url).origin : "null";
}
