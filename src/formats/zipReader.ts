import { configure, Reader, ZipReader } from "@zip.js/zip.js/index-native.js";
import { bytesIn, type ForeignFile } from "./foreign/file.ts";

configure({ useWebWorkers: false });

class ForeignReader extends Reader<ForeignFile> {
  readonly #file: ForeignFile;

  constructor(file: ForeignFile) {
    super(file);
    this.#file = file;
    this.size = file.bytes;
  }

  override readUint8Array(index: number, length: number): Promise<Uint8Array> {
    return Promise.resolve(bytesIn(this.#file, index, length));
  }
}

/** An archive of a file of others, which is read where it is needed. */
export function openZip(file: ForeignFile): ZipReader<ForeignFile> {
  return new ZipReader(new ForeignReader(file), { checkCrc32: true, checkOverlappingEntry: true });
}
