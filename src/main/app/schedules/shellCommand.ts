import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { raceTimeout } from "#shared/async.ts";

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
