import { spawn } from "node:child_process";
import type { ScheduleRun } from "#shared/schedule/run.ts";
import { runWords, type Schedule } from "#shared/schedule/schedule.ts";
import { ping } from "../../client/ping.ts";
import { withSessionBus } from "../../program.ts";

/** A command that takes longer is ended. */
const MAX_COMMAND_MS = 60_000;
const MAX_ERROR_CHARACTERS = 300;

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
export async function announce(schedule: Schedule, run: ScheduleRun): Promise<string[]> {
  const failed = hasFailed(run);
  if (failed === null) return [];
  const command = failed ? schedule.onFailure : schedule.onSuccess;
  const problems = await Promise.all([
    command === null ? null : runCommand(command, schedule, run),
    schedule.ping === null ? null : ping(schedule.ping, failed),
  ]);
  return problems.flatMap((problem, i) =>
    problem === null ? [] : [i === 0 ? `The command failed: ${problem}` : `The ping failed: ${problem}`],
  );
}

/** Runs a command in the system's shell, which gets the run in its environment, without the API key. */
function runCommand(command: string, { name }: Schedule, run: ScheduleRun): Promise<string | null> {
  const { ZENITH_API_KEY: _, ...env } = withSessionBus(process.env);
  const child = spawn(command, {
    shell: true,
    stdio: ["ignore", "ignore", "pipe"],
    timeout: MAX_COMMAND_MS,
    windowsHide: true,
    env: {
      ...env,
      ZENITH_SCHEDULE: name,
      ZENITH_STATE: run.state,
      ZENITH_SUMMARY: runWords(run),
      ZENITH_FILES: run.files.map(({ path }) => path).join("\n"),
    },
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-MAX_ERROR_CHARACTERS);
  });
  return new Promise((resolve) => {
    child.on("error", (thrown) => resolve(thrown.message));
    child.on("close", (code, signal) => {
      const how = signal === null ? `exit code ${code ?? "unknown"}` : `ended after ${MAX_COMMAND_MS / 1_000} s`;
      resolve(code === 0 ? null : [how, said.trim()].filter((part) => part !== "").join(": "));
    });
  });
}
