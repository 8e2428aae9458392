/** A square image; `size` in pixels. */
export interface Picture {
  readonly size: number;
  readonly png: Uint8Array;
}

const ICO_HEADER = 6;
const ICO_ENTRY = 16;

/** Encodes an ICO file for Windows: a directory, then the images as PNG, up to 256 pixels. */
export function packIco(pictures: readonly Picture[]): Buffer {
  const directory = Buffer.alloc(ICO_HEADER + ICO_ENTRY * pictures.length);
  directory.writeUInt16LE(1, 2);
  directory.writeUInt16LE(pictures.length, 4);
  let offset = directory.length;
  for (const [index, { size, png }] of pictures.entries()) {
    const at = ICO_HEADER + ICO_ENTRY * index;
    // One byte each: 256 is encoded as 0.
    directory.writeUInt8(size % 256, at);
    directory.writeUInt8(size % 256, at + 1);
    directory.writeUInt16LE(1, at + 4);
    directory.writeUInt16LE(32, at + 6);
    directory.writeUInt32LE(png.length, at + 8);
    directory.writeUInt32LE(offset, at + 12);
    offset += png.length;
  }
  return Buffer.concat([directory, ...pictures.map((picture) => picture.png)]);
}

/** ICNS types for PNG images, by size in pixels: at normal and double density. */
const ICNS_TYPES: Readonly<Record<number, readonly string[]>> = {
  16: ["icp4"],
  32: ["icp5", "ic11"],
  64: ["ic12"],
  128: ["ic07"],
  256: ["ic08", "ic13"],
  512: ["ic09", "ic14"],
  1024: ["ic10"],
};

/** Encodes an ICNS file for macOS: one block for each type. */
export function packIcns(pictures: readonly Picture[]): Buffer {
  const blocks = pictures.flatMap(({ size, png }) =>
    (ICNS_TYPES[size] ?? []).map((type) => Buffer.concat([icnsHead(type, png.length), png])),
  );
  const length = blocks.reduce((sum, block) => sum + block.length, 0);
  return Buffer.concat([icnsHead("icns", length), ...blocks]);
}

function icnsHead(type: string, contentLength: number): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 0, "latin1");
  head.writeUInt32BE(contentLength + head.length, 4);
  return head;
}
