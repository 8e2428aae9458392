import type { ScheduleRun } from "#shared/schedule/run.ts";
import { runWords, type Schedule } from "#shared/schedule/schedule.ts";
import { ping } from "../../client/ping.ts";
import { withSessionBus } from "../../program.ts";
import { runShellCommand } from "./shellCommand.ts";

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
    command === null ? null : runCommand(command, schedule, run, signal),
    schedule.ping === null ? null : ping(schedule.ping, failed, signal),
  ]);
  return problems.flatMap((problem, i) =>
    problem === null ? [] : [i === 0 ? `The command failed: ${problem}` : `The ping failed: ${problem}`],
  );
}

/** Runs a command, which gets the run in its environment, without the API key. */
function runCommand(
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
