import { byteReader, byteWriter } from "./bytes.ts";
import { squeeze, unsqueeze } from "./squeeze.ts";

/** One bit per flag (0 or 1), squeezed: a few bytes for all the regular patterns that occur. */
export function encodeBits(flags: Uint8Array): Uint8Array {
  const packed = new Uint8Array(Math.ceil(flags.length / 8));
  for (let i = 0; i < flags.length; i++) packed[i >> 3]! |= flags[i]! << (i & 7);
  const out = byteWriter();
  out.unsigned(flags.length);
  out.bytes(squeeze(packed, "pattern"));
  return out.finish();
}

/** @throws DamagedData */
export function decodeBits(bytes: Uint8Array): Uint8Array {
  const source = byteReader(bytes);
  const length = source.unsigned();
  const packed = unsqueeze(source.rest(), Math.ceil(length / 8));
  const flags = new Uint8Array(length);
  for (let i = 0; i < length; i++) flags[i] = (packed[i >> 3]! >> (i & 7)) & 1;
  return flags;
}
