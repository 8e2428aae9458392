import type { FileHandle } from "node:fs/promises";

/** All of them, one behind the other: the system may take less at once. Returns where they end. */
export async function writeAt(file: FileHandle, pieces: readonly Uint8Array[], address: number): Promise<number> {
  let at = address;
  let left = pieces.filter((piece) => piece.length > 0);
  while (left.length > 0) {
    let { bytesWritten } = await file.writev(left, at);
    at += bytesWritten;
    left = left.flatMap((piece) => {
      const done = Math.min(bytesWritten, piece.length);
      bytesWritten -= done;
      return done < piece.length ? [piece.subarray(done)] : [];
    });
  }
  return at;
}
