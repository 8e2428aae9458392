/** Encoded query pairs in their order; what is undefined is left out. Commas stay as they are. */
export function pairs(list: Iterable<readonly [string, string | number | undefined]>): string {
  return [...list]
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value!).replaceAll("%2C", ",")}`)
    .join("&");
}
