import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LOG_LEVELS, type LogLevel, type LogLine } from "#shared/bridge/methods/log.ts";
import { LOG_NAME, OLDER_NAME } from "./file.ts";
import { parseLine } from "./line.ts";

/** Lines of the log and the one before it, of a level and those above, oldest first. Both files are small. */
export function readLog(folder: string, level: LogLevel): LogLine[] {
  const wanted = LOG_LEVELS.slice(0, LOG_LEVELS.indexOf(level) + 1);
  return [OLDER_NAME, LOG_NAME]
    .flatMap((name) => textOf(join(folder, name)).split("\n"))
    .map(parseLine)
    .filter((line) => line !== null)
    .filter((line) => wanted.includes(line.level));
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw thrown;
  }
}
