import type { ByteWriter } from "./bytes.ts";

/** What a codec made of values, to be written before anything else is encoded. */
export interface Encoding {
  /** Bytes that it takes at most. */
  readonly room: number;
  writeTo(out: ByteWriter): void;
}
