import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { ScheduleRun } from "#shared/schedule/run.ts";
import { runWords, type Schedule } from "#shared/schedule/schedule.ts";
import { ping } from "../../client/otherServers.ts";
import { withSessionBus } from "../../program.ts";
import { raceTimeout } from "#shared/async.ts";

/** A command that takes longer is ended. */
const MAX_COMMAND_MS = 60_000;

/** Whether somebody should look after a run; null if the user stopped it. */
export function hasFailed({ state, alarms }: Pick<ScheduleRun, "state" | "alarms">): boolean | null {
  if (state === "running" || state === "stopped" || state === "interrupted") return null;
  return state === "failed" || state === "incomplete" || alarms.length > 0;
}

/**
 * Runs the schedule's own command, and pings its address, at the end of a run.
 *
 * @returns sentences on what failed
 */
export async function announce(schedule: Schedule, run: ScheduleRun, signal: AbortSignal): Promise<string[]> {
  const failed = hasFailed(run);
  if (failed === null) return [];
  const command = failed ? schedule.onFailure : schedule.onSuccess;
  const problems = await Promise.all([
    command === null ? null : runScheduleCommand(command, schedule, run, signal),
    schedule.ping === null ? null : ping(schedule.ping, failed, signal),
  ]);
  return problems.flatMap((problem, i) =>
    problem === null ? [] : [i === 0 ? `The command failed: ${problem}` : `The ping failed: ${problem}`],
  );
}

/** Runs a command, which gets the run in its environment, without the API key. */
function runScheduleCommand(
  command: string,
  { name }: Schedule,
  run: ScheduleRun,
  signal: AbortSignal,
): Promise<string | null> {
  const { ZENITH_API_KEY: _, ...env } = withSessionBus(process.env);
  const about = {
    ZENITH_SCHEDULE: name,
    ZENITH_STATE: run.state,
    ZENITH_SUMMARY: runWords(run),
    ZENITH_FILES: run.files.map(({ path }) => path).join("\n"),
  };
  return runShellCommand(command, { ...env, ...about }, { maxMs: MAX_COMMAND_MS, signal });
}

const MAX_ERROR_CHARACTERS = 300;
/** What a command wrote before its end arrives at once, unless something that it started holds the pipe. */
const LAST_WORDS_MS = 500;

interface Limits {
  readonly maxMs: number;
  readonly signal: AbortSignal;
}

/**
 * Runs a command in the system's shell, and ends it with everything that it started after `maxMs`, or when the signal
 * aborts. What it leaves in the background when it ends by itself goes on.
 *
 * @returns why it failed, with the end of its error output; null if it succeeded
 */
export async function runShellCommand(
  command: string,
  env: NodeJS.ProcessEnv,
  { maxMs, signal }: Limits,
): Promise<string | null> {
  const child = spawn(command, {
    shell: true,
    stdio: ["ignore", "ignore", "pipe"],
    windowsHide: true,
    // A group of its own, because ending the shell alone leaves the programs that it waits for.
    detached: process.platform !== "win32",
    env,
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-MAX_ERROR_CHARACTERS);
  });
  const closed = once(child, "close");
  const ended = Promise.withResolvers<string | null>();
  child.on("error", (thrown) => ended.resolve(thrown.message));
  child.on("exit", (code, by) =>
    ended.resolve(code === 0 ? null : by === null ? `exit code ${code}` : `ended by ${by}`),
  );
  const stop = (why: string): void => {
    endGroup(child);
    ended.resolve(why);
  };
  const onAbort = (): void => stop("stopped with the run");
  const timer = setTimeout(stop, maxMs, `ended after ${maxMs / 1_000} s`);
  signal.addEventListener("abort", onAbort);
  if (signal.aborted) onAbort();
  const how = await ended.promise;
  clearTimeout(timer);
  signal.removeEventListener("abort", onAbort);
  await raceTimeout(
    closed.catch(() => null),
    LAST_WORDS_MS,
  );
  // Not destroyed: programs in the background would be ended by their next line.
  (child.stderr as Partial<NodeJS.RefCounted>).unref?.();
  return how === null ? null : [how, said.trim()].filter((part) => part !== "").join(": ");
}

function endGroup(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  if (process.platform === "win32") {
    spawn("taskkill", ["/pid", String(pid), "/t", "/f"], { stdio: "ignore", windowsHide: true }).on("error", () =>
      child.kill(),
    );
    return;
  }
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
