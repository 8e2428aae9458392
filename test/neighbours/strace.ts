import { spawn, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Ended } from "../hostile/commands.ts";
import { builtApp } from "../support/build.ts";
import { COMMANDS, type Place } from "./commands.ts";

/** Why system calls cannot be made to fail here; null if they can. */
export function whyNoStrace(): string | null {
  if (process.platform !== "linux") return "strace is there on Linux alone";
  const tried = spawnSync("strace", ["-f", "--seccomp-bpf", "-qq", "-o", "/dev/null", "true"], { encoding: "utf8" });
  if (tried.error) return "strace is not installed";
  return tried.status === 0 ? null : `strace cannot be used: ${tried.stderr.trim()}`;
}

/** One failure of a system call of a program: the n-th call of a thread. */
export interface Failure {
  readonly call: string;
  readonly error: string;
  readonly nth: number;
  /** Whether only calls for files of the data folder count. */
  readonly inData: boolean;
}

/** The databases, logs, locks and keys of a data folder, existing ones and ones that may be created. */
function filesOf({ data, folder }: Place): string[] {
  const found = readdirSync(data).filter((name) => name.endsWith(".db"));
  const keys = readdirSync(join(data, "keys")).map((name) => join(data, "keys", name));
  const moved = join(folder, "moved-0.db");
  const databases = [...found.map((name) => join(data, name)), `${moved}.unfinished`, moved];
  const endings = ["", "-wal", "-shm", "-journal", "-lock", ".backup.unfinished", ".unfinished"];
  return [data, ...keys, ...databases.flatMap((path) => endings.map((ending) => path + ending))];
}

/** Runs a command under strace. @param more options of strace */
function traced(place: Place, name: string, inData: boolean, more: readonly string[]): Promise<Ended> {
  const only = inData ? filesOf(place).flatMap((path) => ["-P", path]) : [];
  const words = ["--data-folder", place.data, ...COMMANDS[name]!(place)];
  const { ZENITH_API_KEY: _, ...env } = process.env;
  const child = spawn(
    "strace",
    ["-f", "--seccomp-bpf", "-qq", ...only, ...more]
      .concat([process.execPath, "--disable-warning=ExperimentalWarning", join(builtApp().main, "zenith.js")])
      .concat(words),
    { env, stdio: ["ignore", "pipe", "pipe"] },
  );
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      // strace reports that it cannot resolve missing paths.
      const messages = stderr.split("\n").filter((line) => !line.startsWith("strace: "));
      resolve({ code, stdout, stderr: messages.join("\n") });
    });
  });
}

export function withFailure(place: Place, name: string, { call, error, nth, inData }: Failure): Promise<Ended> {
  return traced(place, name, inData, [
    "-o",
    "/dev/null",
    "-e",
    `trace=${call}`,
    "-e",
    `inject=${call}:error=${error}:when=${nth}`,
  ]);
}

/** Returns how often the busiest thread makes each of the calls. */
export async function countCalls(
  place: Place,
  name: string,
  calls: readonly string[],
  inData: boolean,
): Promise<ReadonlyMap<string, number>> {
  const log = join(place.folder, "calls.log");
  await traced(place, name, inData, ["-o", log, "-e", `trace=${calls.join(",")}`]);
  const ofThreads = new Map<string, Map<string, number>>();
  for (const line of readFileSync(log, "utf8").split("\n")) {
    const [, thread = "", call = ""] = /^(\d+) +(\w+)\(/.exec(line) ?? [];
    const threads = ofThreads.get(call) ?? new Map<string, number>();
    threads.set(thread, (threads.get(thread) ?? 0) + 1);
    ofThreads.set(call, threads);
  }
  return new Map([...ofThreads].map(([call, threads]) => [call, Math.max(...threads.values())]));
}
