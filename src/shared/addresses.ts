/** Sites that the program links to: specifications of its file formats and of GNSS meteorology. */
const ALLOWED: readonly (readonly [host: string, path: string])[] = [
  ["cfconventions.org", "/"],
  ["docs.unidata.ucar.edu", "/netcdf-c/"],
  ["www.unidata.ucar.edu", "/software/netcdf/"],
  ["files.igs.org", "/pub/data/format/"],
];

/** Returns the normalized address if it may be opened in the user's browser, else null. */
export function allowedAddress(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.protocol !== "https:" || url.username !== "" || url.password !== "" || url.port !== "") return null;
  return ALLOWED.some(([host, path]) => url.hostname === host && url.pathname.startsWith(path)) ? url.href : null;
}

/**
 * Whether requests to an address are sent unencrypted to another computer, so that the API key can be intercepted.
 * `*.localhost` counts as another computer, because not every system resolves it to this one.
 */
export function isPlainHttp(address: string): boolean {
  const url = URL.parse(address.trim());
  if (url?.protocol !== "http:") return false;
  return url.hostname !== "localhost" && url.hostname !== "[::1]" && !/^127(?:\.\d{1,3}){3}$/.test(url.hostname);
}

export const PLAIN_HTTP_SENTENCE =
  "The address begins with http://: the API key would travel unencrypted, readable for everybody on the way. Use https:// if the service has it";
