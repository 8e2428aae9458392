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
