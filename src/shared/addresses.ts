/** Where the program's own words lead: what is behind its file formats and its field. Host, and how a path begins. */
const ALLOWED: readonly (readonly [host: string, path: string])[] = [
  ["cfconventions.org", "/"],
  ["docs.unidata.ucar.edu", "/netcdf-c/"],
  ["www.unidata.ucar.edu", "/software/netcdf/"],
  ["files.igs.org", "/pub/data/format/"],
];

/** The address as it may be opened in the user's browser; null where it may not. */
export function allowedAddress(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.protocol !== "https:" || url.username !== "" || url.password !== "" || url.port !== "") return null;
  return ALLOWED.some(([host, path]) => url.hostname === host && url.pathname.startsWith(path)) ? url.href : null;
}
