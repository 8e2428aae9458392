type Column = Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

/** Columns that were decoded lately, the least used ones forgotten where they would take too much memory. */
export interface ColumnCache {
  /** What was kept under the key, else what `make` gives; a column beyond the bound is given and not kept. */
  get<T extends Column>(key: string, make: () => T): T;
  /** Forgets all columns whose keys begin so. */
  drop(prefix: string): void;
}

export function createColumnCache(mostBytes: number): ColumnCache {
  const kept = new Map<string, Column>();
  let bytes = 0;
  const remove = (key: string): void => {
    bytes -= kept.get(key)?.byteLength ?? 0;
    kept.delete(key);
  };
  return {
    get<T extends Column>(key: string, make: () => T): T {
      const found = kept.get(key) ?? make();
      remove(key);
      if (found.byteLength <= mostBytes) {
        kept.set(key, found);
        bytes += found.byteLength;
      }
      for (const oldest of kept.keys()) {
        if (bytes <= mostBytes) break;
        remove(oldest);
      }
      return found as T;
    },
    drop(prefix) {
      for (const key of kept.keys()) if (key.startsWith(prefix)) remove(key);
    },
  };
}
