import { spawnSync } from "node:child_process";
import { buffer } from "node:stream/consumers";
import { Readable } from "node:stream";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { Uncompress } from "#formats/open/packed/lzw.ts";
import { itUnless, WINDOWS_LACKS } from "../../support/needs.ts";

/** Compresses like compress(1): groups of eight codes of one width, and a table that is cleared after some codes. */
function packed(data: Uint8Array, { maxBits = 16, clearAfter = Infinity } = {}): Buffer {
  const bytes = [0x1f, 0x9d, 0x80 | maxBits];
  let [width, inGroup, bits, bitCount, free] = [9, 0, 0, 0, 257];
  let table = new Map<number, number>();
  const endGroup = (next: number): void => {
    const end = inGroup === 0 ? 0 : width - Math.ceil((inGroup * width) / 8);
    if (bitCount > 0) bytes.push(bits);
    for (let i = 0; i < end; i++) bytes.push(0);
    [bits, bitCount, inGroup, width] = [0, 0, 0, next];
  };
  const emit = (code: number): void => {
    bits |= code << bitCount;
    for (bitCount += width; bitCount >= 8; bitCount -= 8, bits >>>= 8) bytes.push(bits & 255);
    inGroup = (inGroup + 1) % 8;
    if (free >= 1 << width && width < maxBits) endGroup(width + 1);
  };
  let [prefix = -1] = data;
  for (const byte of data.subarray(1)) {
    const key = prefix * 256 + byte;
    const found = table.get(key);
    if (found !== undefined) {
      prefix = found;
      continue;
    }
    emit(prefix);
    if (free < 1 << maxBits) table.set(key, free++);
    if (table.size >= clearAfter) {
      emit(256);
      endGroup(9);
      [table, free] = [new Map(), 257];
    }
    prefix = byte;
  }
  if (prefix >= 0) emit(prefix);
  if (bitCount > 0) bytes.push(bits);
  return Buffer.from(bytes);
}

function unpacked(content: Buffer, chunkBytes = 65_536): Promise<Buffer> {
  const chunks = Array.from({ length: Math.ceil(content.length / chunkBytes) }, (_, i) =>
    content.subarray(i * chunkBytes, (i + 1) * chunkBytes),
  );
  return buffer(Readable.from(chunks).pipe(new Uncompress()));
}

/** Lines of a file of delays, enough to fill the table. */
const LINES = Buffer.from(
  Array.from({ length: 30_000 }, (_, i) => `WTZR ${i} ${(2_300 + ((i * 7_919) % 1_000) / 17).toFixed(3)}\n`).join(""),
);

const options = fc.record({
  maxBits: fc.integer({ min: 10, max: 16 }),
  clearAfter: fc.integer({ min: 1, max: 3_000 }),
});

it("decompresses any content exactly, in chunks of any size", async () => {
  const content = fc.oneof(fc.uint8Array({ maxLength: 3_000 }), fc.uint8Array({ maxLength: 20_000, max: 2 }));
  await fc.assert(
    fc.asyncProperty(content, options, fc.integer({ min: 1, max: 500 }), async (data, how, chunkBytes) => {
      expect((await unpacked(packed(data, how), chunkBytes)).equals(Buffer.from(data))).toBe(true);
    }),
    { numRuns: 60 },
  );
});

itUnless(WINDOWS_LACKS, "matches gzip when the table is full and when it is cleared", async () => {
  for (const how of [{}, { maxBits: 12 }, { clearAfter: 50_000 }, { maxBits: 10, clearAfter: 700 }]) {
    const archive = packed(LINES, how);
    const { stdout, status } = spawnSync("gzip", ["-dc"], { input: archive, maxBuffer: 2 ** 25 });
    expect(status).toBe(0);
    expect(stdout.equals(LINES)).toBe(true);
    expect((await unpacked(archive)).equals(LINES)).toBe(true);
  }
});

it("decompresses damaged content or rejects it with a message", async () => {
  const archive = packed(LINES.subarray(0, 5_000));
  await fc.assert(
    fc.asyncProperty(fc.nat(archive.length - 1), fc.nat(255), fc.nat(archive.length), async (at, byte, length) => {
      const changed = Buffer.from(archive);
      changed[at] = byte;
      const result = await unpacked(changed.subarray(0, length)).then(
        () => "unpacked",
        (thrown: Error) => thrown.message,
      );
      expect(result).toMatch(/^(unpacked$|This compressed file is damaged\.)/);
    }),
    { numRuns: 100 },
  );
});
