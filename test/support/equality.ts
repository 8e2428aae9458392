import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";

const MANY = 100;

/**
 * `toEqual` asks each of many numbers for its keys, which takes longer than most of what is tested with it. What is the
 * same Node finds in a tenth of the time; only what is not, or not quite, goes the long way, which knows the difference.
 */
function areTheSameMany(a: unknown, b: unknown): true | undefined {
  return isLong(a) && isLong(b) && isDeepStrictEqual(a, b) ? true : undefined;
}

function isLong(value: unknown): boolean {
  if (ArrayBuffer.isView(value)) return value.byteLength > MANY;
  return Array.isArray(value) && value.length > MANY;
}

// Files that share a process share what is registered.
const REGISTERED = Symbol.for("zenith equality");
if (!(REGISTERED in globalThis)) expect.addEqualityTesters([areTheSameMany]);
Object.defineProperty(globalThis, REGISTERED, { value: true, configurable: true });
