import { on } from "node:events";
import { watch } from "node:fs";
import { LOG_LEVELS, type LogLine } from "#shared/logLine.ts";
import { makeDataFolder } from "../../dataFolder.ts";
import { logLines, readLog } from "../../log/index.ts";
import { choice, command } from "../command.ts";
import type { Output } from "../terminal/output.ts";

export const addLog = command({
  description:
    "Shows the log of the data folder: starts, downloads, failures and their causes, from the window " +
    "and the command line. Times in UTC. The files log.txt and log.1.txt have at most 1 MB each, are readable " +
    "only by you, and contain no API key.",
  words: {
    "--level <level>": choice("this level and those above it", LOG_LEVELS, "info"),
    "--follow": "follow new lines until Ctrl+C",
  },
  examples: [
    ["log", ""],
    ["log --level error", "only what failed"],
    ["log --follow", ""],
  ],
  async run({ output, dataFolder, signal }, { level, follow }) {
    if (!follow) {
      const lines = readLog(dataFolder, level);
      output.document("log", { lines });
      return output.print(lines.length === 0 ? "The log is empty." : lines.map(lineText));
    }
    makeDataFolder(dataFolder);
    const watcher = watch(dataFolder);
    try {
      // Before the first reading, so that no line is missed.
      const changes = on(watcher, "change", { signal });
      const newLines = logLines(dataFolder, level);
      do for (const line of newLines()) await showLine(output, line);
      while ((await changes.next()).done !== true);
    } catch (thrown) {
      if (!signal.aborted) throw thrown;
    } finally {
      watcher.close();
    }
  },
});

function lineText({ time, level, source, text }: LogLine): string {
  return `${time} ${level.padEnd(5)} ${source} ${text}`;
}

function showLine(output: Output, line: LogLine): Promise<void> {
  return output.stream(output.json ? `${JSON.stringify(line)}\n` : `${lineText(line)}\n`);
}
