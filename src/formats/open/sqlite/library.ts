import type { Sqlite3Static, WasmPointer } from "@sqlite.org/sqlite-wasm";
import type { ForeignFile } from "../../foreign/file.ts";

// SQLite in WebAssembly. Its file system holds the open files alone, and is read-only.

export interface SqliteFile {
  /** Yields the rows of a query as texts, empty for bytes and for what is absent or too long. @throws what SQLite or the file throws */
  rows(sql: string): Iterable<string[]>;
  close(): void;
}

const VFS = "foreign";
const [MAX_RECORD_BYTES, MAX_TEXT_BYTES] = [1 << 26, 1_000];
const files = new Map<string, ForeignFile>();
let opened = 0;
/** What reading a file threw, which SQLite reports as an error of its own. */
let readFailure: unknown = null;
let library: Promise<Sqlite3Static> | null = null;

/** Opens a database without its log, and without running anything of its schema. @throws Error if it is none */
export async function openSqlite(file: ForeignFile): Promise<SqliteFile> {
  const sqlite = await (library ??= loadSqlite());
  const { capi, oo1, wasm } = sqlite;
  const path = `/${++opened}`;
  files.set(path, file);
  const db = guarded(
    () => new oo1.DB({ filename: `file:${path}?immutable=1`, flags: "r", vfs: VFS }),
    () => files.delete(path),
  );
  capi.sqlite3_db_config(db, capi.SQLITE_DBCONFIG_DEFENSIVE, 1, 0);
  capi.sqlite3_db_config(db, capi.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, 0);
  capi.sqlite3_limit(db, capi.SQLITE_LIMIT_LENGTH, MAX_RECORD_BYTES);
  // The wrapped functions check and convert each argument, which takes fifteen times as long.
  const raw = wasm.exports as Record<string, (statement: WasmPointer, column?: number) => number>;
  const field = (statement: WasmPointer, column: number): string => {
    const type = raw["sqlite3_column_type"]!(statement, column);
    if (type === capi.SQLITE_INTEGER || type === capi.SQLITE_FLOAT)
      return String(raw["sqlite3_column_double"]!(statement, column));
    if (type !== capi.SQLITE_TEXT) return "";
    const start = raw["sqlite3_column_text"]!(statement, column);
    const length = raw["sqlite3_column_bytes"]!(statement, column);
    return length > MAX_TEXT_BYTES ? "" : Buffer.from(wasm.heap8u().subarray(start, start + length)).toString();
  };
  return {
    *rows(sql) {
      const statement = guarded(() => db.prepare(sql));
      const { pointer = 0, columnCount } = statement;
      try {
        const step = (): boolean => {
          const code = raw["sqlite3_step"]!(pointer);
          if (code !== capi.SQLITE_ROW && code !== capi.SQLITE_DONE) throw new Error(`SQLite: code ${code}`);
          return code === capi.SQLITE_ROW;
        };
        while (guarded(step)) yield Array.from({ length: columnCount }, (_, i) => field(pointer, i));
      } finally {
        statement.finalize();
      }
    },
    close() {
      db.close();
      files.delete(path);
    },
  };
}

function guarded<T>(work: () => T, onFailure?: () => void): T {
  readFailure = null;
  try {
    return work();
  } catch (thrown) {
    onFailure?.();
    throw readFailure ?? thrown;
  }
}

async function loadSqlite(): Promise<Sqlite3Static> {
  // Half a megabyte, which readers of other files need not load.
  const { default: sqlite3InitModule } = await import("@sqlite.org/sqlite-wasm");
  const sqlite = await sqlite3InitModule();
  const { capi, vfs, wasm } = sqlite;
  const open = new Map<WasmPointer, ForeignFile>();
  const io = new capi.sqlite3_io_methods();
  const system = new capi.sqlite3_vfs();
  system.$iVersion = 1;
  // An open file is a pointer to its methods.
  system.$szOsFile = 8;
  system.$mxPathname = 64;
  // Of a file that is immutable, SQLite calls no other methods: it has no locks, no journal and no log.
  vfs.installVfs({
    io: {
      struct: io,
      methods: {
        xClose(handle) {
          open.delete(handle);
          return 0;
        },
        xRead(handle, target, length, position: number | bigint) {
          const bytes = wasm
            .heap8u()
            .subarray(target, target + length)
            .fill(0);
          try {
            const read = open.get(handle)?.read(bytes, Number(position)) ?? 0;
            return read < length ? capi.SQLITE_IOERR_SHORT_READ : 0;
          } catch (thrown) {
            readFailure = thrown;
            return capi.SQLITE_IOERR_READ;
          }
        },
        xFileSize(handle, size) {
          wasm.poke64(size, BigInt(open.get(handle)?.bytes ?? 0));
          return 0;
        },
        xFileControl: () => capi.SQLITE_NOTFOUND,
        xDeviceCharacteristics: () => 0,
      },
    },
    vfs: {
      struct: system,
      name: VFS,
      methods: {
        // oxlint-disable-next-line max-params -- the library calls it
        xOpen(_, name, handle, __, flags) {
          const file = files.get(wasm.cstrToJs(name) ?? "");
          if (!file) return capi.SQLITE_CANTOPEN;
          open.set(handle, file);
          const own = new capi.sqlite3_file(handle);
          own.$pMethods = io.pointer;
          own.dispose();
          if (flags) wasm.poke32(flags, capi.SQLITE_OPEN_READONLY);
          return 0;
        },
        xFullPathname(_, name, length, full) {
          wasm.cstrncpy(full, name, length);
          return 0;
        },
      },
    },
  });
  return sqlite;
}
