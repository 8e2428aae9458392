import { inflateSync } from "node:zlib";

const HEADER_BYTES = 44;
const ENTRY_BYTES = 20;
const SFNT_HEADER_BYTES = 12;
const SFNT_ENTRY_BYTES = 16;

/**
 * Unpacks a font of the Web Open Font Format (W3C, WOFF 1.0) as TrueType or OpenType. Reading the packed font, the PDF
 * library unpacks it by itself, which takes it longer than all of its other work.
 */
export function unpackWoff(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12);
  const head = Buffer.alloc(SFNT_HEADER_BYTES + count * SFNT_ENTRY_BYTES);
  woff.copy(head, 0, 4, 8);
  head.writeUInt16BE(count, 4);
  const exponent = Math.floor(Math.log2(count));
  head.writeUInt16BE(2 ** exponent * SFNT_ENTRY_BYTES, 6);
  head.writeUInt16BE(exponent, 8);
  head.writeUInt16BE((count - 2 ** exponent) * SFNT_ENTRY_BYTES, 10);
  const parts: Buffer[] = [head];
  let end = head.length;
  for (let i = 0; i < count; i++) {
    const from = HEADER_BYTES + i * ENTRY_BYTES;
    const [offset, packedLength, length] = [4, 8, 12].map((at) => woff.readUInt32BE(from + at)) as [
      number,
      number,
      number,
    ];
    const packed = woff.subarray(offset, offset + packedLength);
    const table = packedLength < length ? inflateSync(packed) : packed;
    const to = SFNT_HEADER_BYTES + i * SFNT_ENTRY_BYTES;
    woff.copy(head, to, from, from + 4);
    woff.copy(head, to + 4, from + 16, from + 20);
    head.writeUInt32BE(end, to + 8);
    head.writeUInt32BE(length, to + 12);
    // Tables begin at multiples of four bytes.
    const padding = -length & 3;
    parts.push(table, Buffer.alloc(padding));
    end += length + padding;
  }
  return Buffer.concat(parts);
}
