import type { FileHandle } from "node:fs/promises";

/**
 * Writes all buffers, one after the other, from `address` on. A single call of the system may write only some of the bytes.
 *
 * @returns the address behind the last byte
 */
export async function writeAt(file: FileHandle, buffers: readonly Uint8Array[], address: number): Promise<number> {
  let end = address;
  let remaining = buffers.filter((buffer) => buffer.length > 0);
  while (remaining.length > 0) {
    let { bytesWritten } = await file.writev(remaining, end);
    end += bytesWritten;
    remaining = remaining.flatMap((buffer) => {
      const written = Math.min(bytesWritten, buffer.length);
      bytesWritten -= written;
      return written < buffer.length ? [buffer.subarray(written)] : [];
    });
  }
  return end;
}
