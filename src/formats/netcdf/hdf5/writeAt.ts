import type { FileHandle } from "node:fs/promises";

/** All of it: the system may take less at once. */
export async function writeAt(file: FileHandle, bytes: Uint8Array, address: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    done += (await file.write(bytes, done, bytes.length - done, address + done)).bytesWritten;
  }
}
