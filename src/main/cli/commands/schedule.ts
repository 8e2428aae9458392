import { countStates } from "#shared/schedule/ledger.ts";
import { runStateWords, runWords } from "#shared/schedule/schedule.ts";
import { nextTime, timeWords } from "#shared/schedule/when.ts";
import { stationLabels } from "#shared/service/catalogue.ts";
import { command } from "../command.ts";
import { addScheduleAdd } from "../schedule/add.ts";
import { addScheduleInstall, addScheduleUninstall } from "../schedule/install.ts";
import { addScheduleLedger, NAME } from "../schedule/ledger.ts";
import { missingLines, runSchedule } from "../schedule/run.ts";
import { orStop, type Shell } from "../shell.ts";
import { amount, type Columns, extra, moment, shrinking, table } from "../terminal/table.ts";
import { count, minuteText, visible } from "../terminal/text.ts";

const addList = command({
  description: "Lists the schedules.",
  async run(shell) {
    const app = await shell.app();
    const { store } = app.schedules;
    const schedules = store.list().map((stored) => {
      const { id, schedule } = stored;
      return {
        ...schedule,
        connection: app.connections.find(schedule.connectionId)?.name ?? "(removed)",
        nextRunMs: schedule.isPaused ? null : nextTime(schedule.when, Date.now()),
        lastRun: store.lastRun(id, Date.now()),
        ranges: countStates(store.ledger.allAt(stored, Date.now())),
      };
    });
    shell.output.document("schedule list", { schedules });
    for (const sentence of store.damage()) shell.output.warn(visible(sentence));
    shell.output.table(
      schedules,
      {
        Name: (one) => one.name,
        When: (one) => timeWords(one.when),
        Stations: extra(
          shrinking(({ stations }) =>
            stations.kind === "group" ? `group:${stations.name}` : count(stations.stationIds.length),
          ),
        ),
        Range: extra(({ range }) => (range.end === "" ? range.start : `${range.start} to ${range.end}`)),
        Files: extra(amount((one) => one.exports.length)),
        Open: amount(({ ranges }) => ranges.due + ranges.failed + ranges.incomplete + ranges.mayStillArrive),
        "Next run": {
          ...moment<(typeof schedules)[number]>(({ nextRunMs }) => nextRunMs),
          cell: ({ nextRunMs }) => (nextRunMs === null ? "paused" : minuteText(nextRunMs)),
        },
        "Last run": shrinking(({ lastRun: last }) =>
          last === null ? "never" : `${minuteText(last.startedMs)} ${runStateWords(last).toLowerCase()}`,
        ),
      },
      "There is no schedule yet. Create one with “schedule add” or in the window.",
    );
  },
});

const addRun = command({
  description:
    "Delivers all open ranges of a schedule now, and the range of the present time. The exit code is 0 if all ranges since the " +
    "schedule began are delivered, 3 if some are not or lack parts, and otherwise that of “fetch”.",
  words: {
    ...NAME,
    "--due": "only ranges that are due or wait for another try; the range of the present time is not added",
  },
  run: (shell, { name, due }) => runSchedule(shell, name, due ?? false),
});

const addPause = pausing("pause", "Keeps a schedule from running until “schedule resume”.");
const addResume = pausing(
  "resume",
  "Lets a paused schedule run again, from its next time on. Ranges of the pause are skipped.",
);

function pausing(name: "pause" | "resume", description: string) {
  const isPaused = name === "pause";
  return command({
    description,
    words: NAME,
    async run(shell, { name: word }) {
      const { store } = (await shell.app()).schedules;
      const { id, schedule } = orStop(store.named(word));
      const stored = orStop(store.setPaused(id, isPaused, Date.now()));
      shell.output.document("schedule pause", { name: schedule.name, isPaused });
      const next = isPaused ? "" : ` It runs next at ${minuteText(nextTime(stored.schedule.when, Date.now()))} UTC.`;
      shell.output.print(`“${schedule.name}” is ${isPaused ? "paused" : "resumed"}.${next}`);
    },
  });
}

const addHistory = command({
  description: "Lists the last 100 runs, newest first: when, how they ended, rows, files, and what was missing.",
  words: NAME,
  async run(shell, { name }) {
    const { output } = shell;
    const { store } = (await shell.app()).schedules;
    const { id, schedule } = orStop(store.named(name));
    const runs = store.runs(id);
    output.document("schedule history", { name: schedule.name, runs });
    const columns: Columns<(typeof runs)[number]> = {
      Started: moment((one) => one.startedMs),
      Ended: moment((one) => one.endedMs),
      Rows: amount((one) => one.rows),
      Files: amount((one) => one.files.length),
      Outcome: shrinking((one) => visible(runWords(one))),
    };
    if (output.csv || runs.length === 0) return output.table(runs, columns, "It has not run yet.");
    const isMissing = runs.some(({ missing }) => missing.length > 0);
    const names = isMissing ? await readStationNames(shell, schedule.connectionId) : new Map<string, string>();
    const lines = table(runs, columns, output.width);
    // Below each run, why data are missing.
    const body = runs.flatMap((one, i) => [lines[lines.length - runs.length + i] ?? "", ...missingLines(one, names)]);
    output.print([...lines.slice(0, -runs.length), ...body]);
  },
});

const addRemove = command({
  description: "Deletes a schedule with its history. Files that it wrote, and cached data, stay.",
  words: NAME,
  async run(shell, { name }) {
    const { store } = (await shell.app()).schedules;
    if (!store.remove(name)) orStop(store.named(name));
    shell.output.document("schedule remove", { removed: name });
    shell.output.print(`Removed “${visible(name)}”.`);
  },
});

export const addSchedule = command({
  description:
    "Downloads that repeat daily or at an interval, and the files written after them. An open window runs them; " +
    "“schedule install” lets the system do so. A ledger records each range that is due until its data are delivered and final: " +
    "missed and failed ranges are made up for. Times in UTC.",
  examples: [
    ["schedule", "lists them with next and last run"],
    ["schedule add Morning Kallio --daily 06:30 --format netcdf --out /data", "a new one"],
    ["schedule run Morning", "now"],
    ["schedule ledger Morning", "which ranges are delivered"],
    ["schedule history Morning", "what the last runs did"],
    ["schedule install Morning", "for systemd, launchd or the Task Scheduler"],
  ],
  byDefault: "list",
  commands: {
    list: addList,
    add: addScheduleAdd,
    run: addRun,
    pause: addPause,
    resume: addResume,
    ledger: addScheduleLedger,
    history: addHistory,
    remove: addRemove,
    install: addScheduleInstall,
    uninstall: addScheduleUninstall,
  },
});

/** Names of stations by id; empty where the connection was removed. */
async function readStationNames(shell: Shell, connectionId: string): Promise<ReadonlyMap<string, string>> {
  const record = (await shell.app()).connections.find(connectionId);
  return record ? stationLabels((await shell.open(record)).cache.catalogue()) : new Map();
}
