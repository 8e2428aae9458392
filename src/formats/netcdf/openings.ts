import type { File } from "h5wasm/node";

// HDF5 knows a file by its device and inode, and two openings of the same share what is in memory of it. A damaged file
// stays open inside the library, because what failed half-way is never let go of; what is written to its place later would
// then be read by the order of the damaged one. So every opening is a file of its own to the library, and ends here.

type H5 = typeof import("h5wasm/node");

interface Stream {
  readonly fd: number;
}

/** What is used of the file system that the library was compiled with: its own types are those of another one. */
interface FileSystem {
  readonly streams: readonly (Stream | null | undefined)[];
  close(stream: Stream): void;
  fstat(fd: number): { ino: number };
}

function fileSystemOf(h5: H5): FileSystem {
  return h5.Module.FS as unknown as FileSystem;
}

/** To be called once for a library, before it opens its first file. */
export function keepOpeningsApart(h5: H5): void {
  const fs = fileSystemOf(h5);
  const look = fs.fstat;
  const inodes = new WeakMap<Stream, number>();
  let last = 0;
  fs.fstat = (fd) => {
    const found = look(fd);
    const stream = fs.streams[fd];
    if (!stream) return found;
    const ino = inodes.get(stream) ?? ++last;
    inodes.set(stream, ino);
    return Object.assign(found, { ino });
  };
}

/**
 * Opens a file to be read, and lets `look` at it. Its `close` never throws and leaves nothing open, whatever went wrong in
 * between; where `look` throws, nothing is left open either.
 */
export function openHdf5<T>(h5: H5, path: string, look: (file: File, close: () => void) => T): T {
  return leavingNothing(h5, () => {
    const added = streamsSince(h5);
    const file = new h5.File(path, "r");
    const own = added();
    const close = (): void => {
      try {
        file.close();
      } catch {
        // Nothing is left to be done with it, and a failure before must not be hidden.
      }
      letGo(h5, own);
    };
    try {
      return look(file, close);
    } catch (thrown) {
      close();
      throw thrown;
    }
  });
}

/** A call of the library that fails leaves open what it opened: a file, and one more in which it writes its errors. */
export function leavingNothing<T>(h5: H5, call: () => T): T {
  const added = streamsSince(h5);
  try {
    return call();
  } catch (thrown) {
    letGo(h5, added());
    throw thrown;
  }
}

function streamsSince(h5: H5): () => Stream[] {
  const before = new Set(fileSystemOf(h5).streams);
  return () => fileSystemOf(h5).streams.filter((s): s is Stream => Boolean(s) && !before.has(s));
}

function letGo(h5: H5, streams: readonly Stream[]): void {
  const fs = fileSystemOf(h5);
  for (const stream of streams) if (fs.streams[stream.fd] === stream) fs.close(stream);
}
