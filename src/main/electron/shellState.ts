import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { log } from "../log/index.ts";

const finite = z.number().refine((value) => Math.abs(value) < 1e6);

const schema = z.object({
  /** Where the last window was when it was neither maximized nor minimized. */
  bounds: z
    .object({ x: finite, y: finite, width: finite.positive(), height: finite.positive() })
    .nullable()
    .catch(null)
    .default(null),
  maximized: z.boolean().catch(false).default(false),
  /** Known before the core is: a window must not flash in the wrong colour. */
  theme: z.enum(["system", "light", "dark"]).catch("system").default("system"),
});

export type ShellState = Readonly<z.output<typeof schema>>;

/** What the shell remembers, in a small file of its own: the databases belong to the core. */
export interface ShellStateFile {
  readonly current: ShellState;
  /** Written at once: it is little, and the program may be about to end. A disk that refuses costs only the memory of it. */
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

/** Whatever is wrong with the file, the window opens as if for the first time. */
function read(path: string): ShellState {
  try {
    return schema.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    return schema.parse({});
  }
}
