import type { File } from "h5wasm/node";

// HDF5 identifies a file by device and inode, and shares the state in memory of two openings of the same file. A damaged
// file stays open inside the library, because a failed operation does not release it; a file written to its place later
// would be read with the state of the damaged one. So every opening gets an inode of its own, and is closed here.

type H5 = typeof import("h5wasm/node");

interface Stream {
  readonly fd: number;
}

/** The used part of the library's file system (Emscripten), for which its own types are wrong. */
interface FileSystem {
  readonly streams: readonly (Stream | null | undefined)[];
  close(stream: Stream): void;
  fstat(fd: number): { ino: number };
}

function fileSystemOf(h5: H5): FileSystem {
  return h5.Module.FS as unknown as FileSystem;
}

/** Gives every opened file an inode of its own. To be called once, before the library opens its first file. */
export function isolateOpenFiles(h5: H5): void {
  const fs = fileSystemOf(h5);
  const { fstat } = fs;
  const inodes = new WeakMap<Stream, number>();
  let last = 0;
  fs.fstat = (fd) => {
    const found = fstat(fd);
    const stream = fs.streams[fd];
    if (!stream) return found;
    const ino = inodes.get(stream) ?? ++last;
    inodes.set(stream, ino);
    return Object.assign(found, { ino });
  };
}

/**
 * Opens a file for reading and passes it to `read`. `close` never throws and releases everything, whatever failed before;
 * if `read` throws, the file is closed.
 */
export function openHdf5<T>(h5: H5, path: string, read: (file: File, close: () => void) => T): T {
  return closingOnFailure(h5, () => {
    const added = streamsSince(h5);
    const file = new h5.File(path, "r");
    const own = added();
    const close = (): void => {
      try {
        file.close();
      } catch {
        // Ignored, so as not to hide an earlier failure; the streams are closed anyway.
      }
      closeStreams(h5, own);
    };
    try {
      return read(file, close);
    } catch (thrown) {
      close();
      throw thrown;
    }
  });
}

/** Closes the streams that a failed call of the library leaves open: the file, and another one for its error messages. */
export function closingOnFailure<T>(h5: H5, call: () => T): T {
  const added = streamsSince(h5);
  try {
    return call();
  } catch (thrown) {
    closeStreams(h5, added());
    throw thrown;
  }
}

function streamsSince(h5: H5): () => Stream[] {
  const before = new Set(fileSystemOf(h5).streams);
  return () => fileSystemOf(h5).streams.filter((s): s is Stream => Boolean(s) && !before.has(s));
}

function closeStreams(h5: H5, streams: readonly Stream[]): void {
  const fs = fileSystemOf(h5);
  for (const stream of streams) if (fs.streams[stream.fd] === stream) fs.close(stream);
}
