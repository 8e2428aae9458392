import { cutToBytes, utf8Bytes } from "./fileName.ts";

/** Longest name that the usual file systems take, in bytes of UTF-8. */
export const LONGEST_NAME_BYTES = 255;
/** An ending is no longer; what is longer belongs to the name. */
const LONGEST_ENDING_BYTES = 20;

/**
 * The name of a file that lies beside another one: `a.nc`, `-satellites` → `a-satellites.nc`. A name that would be longer
 * than file systems take is cut, and marked with a number made of the whole, so that files whose names begin alike have
 * neighbours of different names.
 *
 * @param after what follows the ending: `a.nc`, ``, `.json` → `a.nc.json`
 */
export function besideName(name: string, suffix: string, after = ""): string {
  const dot = name.lastIndexOf(".");
  const hasEnding = dot > 0 && utf8Bytes(name.slice(dot)) <= LONGEST_ENDING_BYTES;
  const stem = hasEnding ? name.slice(0, dot) : name;
  const end = suffix + (hasEnding ? name.slice(dot) : "") + after;
  const whole = stem + end;
  if (utf8Bytes(whole) <= LONGEST_NAME_BYTES) return whole;
  const mark = `~${hashOf(name)}`;
  return cutToBytes(stem, LONGEST_NAME_BYTES - utf8Bytes(mark + end)) + mark + end;
}

/** FNV-1a of 32 bits, in hex. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
