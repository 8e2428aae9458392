import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { log } from "../log/index.ts";

const finite = z.number().refine((value) => Math.abs(value) < 1e6);

const schema = z.object({
  /** Bounds of the last window when it was neither maximized nor minimized. */
  bounds: z
    .object({ x: finite, y: finite, width: finite.positive(), height: finite.positive() })
    .nullable()
    .catch(null)
    .default(null),
  maximized: z.boolean().catch(false).default(false),
  /** Known before the core starts, so that a window does not flash in the wrong colour. */
  theme: z.enum(["system", "light", "dark"]).catch("system").default("system"),
});

type ShellState = Readonly<z.output<typeof schema>>;

/** The shell's state, in a small file, because the databases belong to the core. */
export interface ShellStateFile {
  readonly current: ShellState;
  /** Changes and writes the state at once, because the program may be about to end. Write errors are only logged. */
  change(changes: Partial<ShellState>): void;
}

export function openShellState(path: string): ShellStateFile {
  let current = read(path);
  return {
    get current() {
      return current;
    },
    change(changes) {
      current = { ...current, ...changes };
      try {
        writeFileSync(`${path}.tmp`, `${JSON.stringify(current)}\n`);
        renameSync(`${path}.tmp`, path);
      } catch (reason) {
        log.warn("the position of the window could not be saved", reason);
      }
    },
  };
}

/** Falls back to the defaults if the file is missing or invalid. */
function read(path: string): ShellState {
  try {
    return schema.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    return schema.parse({});
  }
}
