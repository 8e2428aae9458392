/** Converts bytes to text and back; the two sides have different functions for this. */
export interface Base64 {
  encode(bytes: Uint8Array): string;
  decode(text: string): Uint8Array;
}

export interface Clone {
  encode(value: unknown): string;
  decode(text: string): unknown;
}

/**
 * Serializes values like the structured clone algorithm: undefined, NaN, bigint, dates, maps, sets, errors and typed
 * arrays are supported; functions are rejected. Cycles and shared references are not supported.
 *
 * Refers to nothing outside, because its source also runs in the page.
 */
export function createClone(base64: Base64): Clone {
  const KEY = "$";
  const { toString } = Object.prototype;
  const tagOf = (value: object): string => toString.call(value).slice(8, -1);
  const encodeView = ({ buffer, byteOffset, byteLength }: ArrayBufferView): string =>
    base64.encode(new Uint8Array(buffer, byteOffset, byteLength));
  const tagged = (type: string, v: unknown): object => ({ [KEY]: type, v });
  const arrays = globalThis as unknown as Record<string, new (buffer: ArrayBuffer) => unknown>;

  function pack(value: unknown): unknown {
    if (value === null || typeof value === "string" || typeof value === "boolean") return value;
    if (typeof value === "number")
      return Number.isFinite(value) && !Object.is(value, -0) ? value : tagged("number", String(value));
    if (value === undefined) return tagged("undefined", 0);
    if (typeof value === "bigint") return tagged("bigint", String(value));
    if (typeof value !== "object") throw new Error("An object could not be cloned.");
    if (Array.isArray(value)) return value.map(pack);
    const tag = tagOf(value);
    if (ArrayBuffer.isView(value)) return { ...tagged("view", encodeView(value)), n: tag };
    if (tag === "ArrayBuffer") return tagged("buffer", base64.encode(new Uint8Array(value as ArrayBuffer)));
    if (value instanceof Date) return tagged("date", value.getTime());
    if (value instanceof Map) return tagged("map", pack([...value]));
    if (value instanceof Set) return tagged("set", pack([...value]));
    if (value instanceof Error) return tagged("error", [value.name, value.message, value.stack ?? ""]);
    const own = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, pack(item)]));
    return KEY in own ? tagged("object", own) : own;
  }

  function bufferOf(text: string): ArrayBuffer {
    const bytes = base64.decode(text);
    // The buffer of a view into a pool would contain unrelated data.
    return (bytes.byteLength === bytes.buffer.byteLength ? bytes.buffer : new Uint8Array(bytes).buffer) as ArrayBuffer;
  }

  const readers: Record<string, (v: never, n: string) => unknown> = {
    number: (v: string) => (v === "-0" ? -0 : Number(v)),
    undefined: () => undefined,
    bigint: (v: string) => BigInt(v),
    view: (v: string, n) => new (arrays[n] ?? Uint8Array)(bufferOf(v)),
    buffer: (v: string) => bufferOf(v),
    date: (v: number) => new Date(v),
    map: (v: unknown[]) => new Map(unpack(v) as [unknown, unknown][]),
    set: (v: unknown[]) => new Set(unpack(v) as unknown[]),
    error: ([name, message, stack]: string[]) => Object.assign(new Error(message), { name, stack }),
    object: (v: object) => entries(v),
  };

  const entries = (value: object): object =>
    Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unpack(item)]));

  function unpack(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(unpack);
    if (!(KEY in value)) return entries(value);
    const { $: type, v, n } = value as { $: string; v: never; n: string };
    return readers[type]?.(v, n);
  }

  return {
    encode: (value) => JSON.stringify(pack(value)),
    decode: (text) => unpack(JSON.parse(text)),
  };
}
