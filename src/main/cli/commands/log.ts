import { watch } from "node:fs";
import { raceCancellation } from "#shared/async.ts";
import { LOG_LEVELS, type LogLevel, type LogLine } from "#shared/logLine.ts";
import { makeDataFolder } from "../../dataFolder.ts";
import { LOG_NAME } from "../../log/file.ts";
import { readLog } from "../../log/index.ts";
import { choice, command } from "../command.ts";
import type { Output } from "../terminal/output.ts";

export const addLog = command({
  name: "log",
  summary: "show starts, ends and failures, with their causes",
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
    const lines = readLog(dataFolder, level);
    if (!follow) {
      output.document("log", { lines });
      return output.print(lines.length === 0 ? "The log is empty." : lines.map(textOf));
    }
    for (const line of lines) await show(output, line);
    makeDataFolder(dataFolder);
    await followLines({ folder: dataFolder, level, before: lines }, signal, (line) => show(output, line));
  },
});

function textOf({ time, level, source, text }: LogLine): string {
  return `${time} ${level.padEnd(5)} ${source} ${text}`;
}

function show(output: Output, line: LogLine): Promise<void> {
  return output.stream(output.json ? `${JSON.stringify(line)}\n` : `${textOf(line)}\n`);
}

/** Reports new lines whenever the log file changes, until the signal. */
async function followLines(
  { folder, level, before }: { readonly folder: string; readonly level: LogLevel; readonly before: readonly LogLine[] },
  signal: AbortSignal,
  onLine: (line: LogLine) => Promise<void>,
): Promise<void> {
  let shown = new Set(before.map(textOf));
  let work = Promise.resolve();
  const readNew = async (): Promise<void> => {
    const lines = readLog(folder, level);
    for (const line of lines) if (!shown.has(textOf(line))) await onLine(line);
    shown = new Set(lines.map(textOf));
  };
  const watcher = watch(folder, (_, name) => {
    if (name === LOG_NAME) work = work.then(readNew);
  });
  // Lines since the first reading.
  work = work.then(readNew);
  await raceCancellation(new Promise<never>(() => {}), signal);
  watcher.close();
  await work;
}
