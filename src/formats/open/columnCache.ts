type Column = Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

/** Least-recently-used cache of decoded columns, limited by memory. */
export interface ColumnCache {
  /** Returns the cached column, or creates it; a column larger than the limit is not cached. */
  get<T extends Column>(key: string, make: () => T): T;
  clear(prefix: string): void;
}

export function createColumnCache(maxBytes: number): ColumnCache {
  const cached = new Map<string, Column>();
  let bytes = 0;
  const remove = (key: string): void => {
    bytes -= cached.get(key)?.byteLength ?? 0;
    cached.delete(key);
  };
  return {
    get<T extends Column>(key: string, make: () => T): T {
      const found = cached.get(key) ?? make();
      remove(key);
      if (found.byteLength <= maxBytes) {
        cached.set(key, found);
        bytes += found.byteLength;
      }
      for (const oldest of cached.keys()) {
        if (bytes <= maxBytes) break;
        remove(oldest);
      }
      return found as T;
    },
    clear(prefix) {
      for (const key of cached.keys()) if (key.startsWith(prefix)) remove(key);
    },
  };
}
