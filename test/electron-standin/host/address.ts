import type { Privileges } from "electron";

/** Schemes of the application, declared before it is ready. */
const schemes = new Map<string, Privileges>();
/** What the stand-in does not give to a page. */
const NOT_GIVEN = ["bypassCSP", "allowServiceWorkers", "allowExtensions"] as const;

export function declareSchemes(
  declared: readonly { readonly scheme: string; readonly privileges?: Privileges }[],
): void {
  for (const { scheme, privileges } of declared) {
    if (!privileges?.standard || !privileges.secure)
      throw new Error(`The stand-in serves ${scheme}: only as a standard and secure scheme.`);
    for (const name of NOT_GIVEN) if (privileges[name]) throw new Error(`The stand-in gives no scheme ${name}.`);
    schemes.set(scheme, privileges);
  }
}

/**
 * Whether a request of a page gets an answer. Blink fetches only from schemes with `supportFetchAPI`, and from another
 * origin only with `corsEnabled`, whatever a response allows; the mapped addresses alone would permit both. Chromium calls a fetch and an
 * XMLHttpRequest alike, so that both need the privilege here.
 */
export function isAllowed(url: string, kind: string, origin: string | undefined): boolean {
  const privileges = schemes.get(url.slice(0, url.indexOf(":")));
  if ((kind === "Fetch" || kind === "XHR") && !privileges?.supportFetchAPI) return false;
  return origin === undefined || privileges?.corsEnabled === true || fromPageUrl(`${origin}/`) === `${originOf(url)}/`;
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
