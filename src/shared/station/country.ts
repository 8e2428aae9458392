const COUNTRIES = new Intl.DisplayNames("en-GB", { type: "region", fallback: "code" });

/** "Finland" for "FI"; what is no code of a country, as it is. */
export function countryName(code: string): string {
  return /^[A-Za-z]{2}$/.test(code) ? (COUNTRIES.of(code.toUpperCase()) ?? code) : code;
}
