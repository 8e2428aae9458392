import type { Command } from "commander";
import { nextTime, timeWords } from "#shared/schedule/when.ts";
import { countStates } from "#shared/schedule/ledger.ts";
import { runStateWords, runWords } from "#shared/schedule/schedule.ts";
import { stationLabels } from "#shared/service/catalogue.ts";
import { damagedWords } from "../../app/schedules/scheduleStore.ts";
import { addScheduleAdd } from "../schedule/add.ts";
import { addScheduleLedger } from "../schedule/ledger.ts";
import { addScheduleInstall } from "../schedule/install.ts";
import { missingLines, runSchedule } from "../schedule/run.ts";
import { orStop, type Shell } from "../shell.ts";
import { extra, right, shrinking, table } from "../terminal/table.ts";
import { count, visible, minuteText } from "../terminal/text.ts";
import { type AddCommand, examples, type Run } from "./types.ts";

const NAME = "as “schedule” lists it";

export const addSchedule: AddCommand = (program, run) => {
  const command = program
    .command("schedule")
    .summary("downloads and exports that repeat: list, add, run, install for the system")
    .description(
      "Downloads that repeat daily or at an interval, and the files written after them. An open window runs them; " +
        "“schedule install” lets the system do so. A ledger records each range that is due until its data are delivered and final: " +
        "missed and failed ranges are made up for. Times in UTC.",
    )
    .addHelpText(
      "after",
      examples(
        ["schedule", "lists them with next and last run"],
        ["schedule add Morning Kallio --daily 06:30 --format netcdf --out /data", "a new one"],
        ["schedule run Morning", "now"],
        ["schedule ledger Morning", "which ranges are delivered"],
        ["schedule history Morning", "what the last runs did"],
        ["schedule install Morning", "for systemd, launchd or the Task Scheduler"],
      ),
    );
  addList(command, run);
  addScheduleAdd(command, run);
  command
    .command("run")
    .argument("<name>", NAME)
    .option("--due", "only ranges that are due or wait for another try; the range of the present time is not added")
    .description(
      "Delivers all open ranges of a schedule now, and the range of the present time. The exit code is 0 if all ranges since the " +
        "schedule began are delivered, 3 if some are not or lack parts, and otherwise that of “fetch”.",
    )
    .action(run((shell, name: string, options: { due?: boolean }) => runSchedule(shell, name, options.due ?? false)));
  addPause(command, run, "pause");
  addPause(command, run, "resume");
  addScheduleLedger(command, run);
  addHistory(command, run);
  command
    .command("remove")
    .argument("<name>", NAME)
    .description("Deletes a schedule with its history. Files that it wrote, and cached data, stay.")
    .action(
      run(async (shell, name: string) => {
        const { store } = (await shell.app()).schedules;
        if (!store.remove(name)) orStop(store.named(name));
        shell.output.document("schedule remove", { removed: name });
        shell.output.print(`Removed “${visible(name)}”.`);
      }),
    );
  addScheduleInstall(command, run);
};

function addList(command: Command, run: Run): void {
  command
    .command("list", { isDefault: true })
    .description("Lists them.")
    .action(
      run(async (shell) => {
        const app = await shell.app();
        const { store } = app.schedules;
        const schedules = store.list().map((stored) => {
          const { id, schedule } = stored;
          store.ledger.enter(stored, shell.now());
          return {
            ...schedule,
            connection: app.connections.find(schedule.connectionId)?.name ?? "(removed)",
            nextRunMs: schedule.isPaused ? null : nextTime(schedule.when, shell.now()),
            lastRun: store.lastRun(id, shell.now()),
            ranges: countStates(store.ledger.all(id)),
          };
        });
        shell.output.document("schedule list", { schedules });
        for (const name of store.unreadable()) shell.output.warn(damagedWords(visible(name)));
        const columns = [
          "Name",
          "When",
          ...extra(shrinking("Stations"), "Range", right("Files")),
          right("Open"),
          "Next run",
          shrinking("Last run"),
        ];
        const rows = schedules.map(({ name, when, stations, range, exports, nextRunMs, lastRun, ranges }) => [
          name,
          timeWords(when),
          stations.kind === "group" ? `group:${stations.name}` : count(stations.stationIds.length),
          range.end === "" ? range.start : `${range.start} to ${range.end}`,
          String(exports.length),
          count(ranges.due + ranges.failed + ranges.incomplete + ranges.unconfirmed),
          nextRunMs === null ? "paused" : minuteText(nextRunMs),
          lastRun === null ? "never" : `${minuteText(lastRun.startedMs)} ${runStateWords(lastRun).toLowerCase()}`,
        ]);
        if (rows.length === 0)
          shell.output.print("There is no schedule yet. Create one with “schedule add” or in the window.");
        else shell.output.table(columns, rows);
      }),
    );
}

function addPause(command: Command, run: Run, name: "pause" | "resume"): void {
  const isPaused = name === "pause";
  command
    .command(name)
    .argument("<name>", NAME)
    .description(
      isPaused
        ? "Keeps a schedule from running until “schedule resume”."
        : "Lets a paused schedule run again, from its next time on. Ranges of the pause are skipped.",
    )
    .action(
      run(async (shell, word: string) => {
        const { store } = (await shell.app()).schedules;
        const { id, schedule } = orStop(store.named(word));
        const stored = orStop(store.setPaused(id, isPaused, shell.now()));
        shell.output.document("schedule pause", { name: schedule.name, isPaused });
        const next = isPaused ? "" : ` It runs next at ${minuteText(nextTime(stored.schedule.when, shell.now()))} UTC.`;
        shell.output.print(`“${schedule.name}” is ${isPaused ? "paused" : "resumed"}.${next}`);
      }),
    );
}

function addHistory(command: Command, run: Run): void {
  command
    .command("history")
    .argument("<name>", NAME)
    .description("Lists the last 100 runs, newest first: when, how they ended, rows, files, and what was missing.")
    .action(
      run(async (shell, name: string) => {
        const { store } = (await shell.app()).schedules;
        const { id, schedule } = orStop(store.named(name));
        const runs = store.runs(id);
        shell.output.document("schedule history", { name: schedule.name, runs });
        const columns = ["Started", "Ended", right("Rows"), right("Files"), shrinking("Outcome")];
        const rows = runs.map((one) => [
          minuteText(one.startedMs),
          one.endedMs === null ? "" : minuteText(one.endedMs),
          count(one.rows),
          count(one.files.length),
          visible(runWords(one)),
        ]);
        if (rows.length === 0) return shell.output.print("It has not run yet.");
        const names = runs.some(({ missing }) => missing.length > 0)
          ? await namesOf(shell, schedule.connectionId)
          : new Map<string, string>();
        if (shell.output.csv) return shell.output.table(columns, rows);
        const lines = table(columns, rows, shell.output.width);
        // Below each run, why data are missing.
        const head = lines.slice(0, lines.length - rows.length);
        const body = runs.flatMap((one, i) => [lines[head.length + i] ?? "", ...missingLines(one, names)]);
        shell.output.print([...head, ...body]);
      }),
    );
}

/** Names of stations by id; empty where the connection was removed. */
async function namesOf(shell: Shell, connectionId: string): Promise<ReadonlyMap<string, string>> {
  const record = (await shell.app()).connections.find(connectionId);
  return record ? stationLabels((await shell.open(record)).cache.catalogue()) : new Map();
}
