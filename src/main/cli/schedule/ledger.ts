import type { Command } from "commander";
import { countStates, isOpen, type LedgerRange, RANGE_STATE_WORDS, RANGE_STATES } from "#shared/schedule/ledger.ts";
import type { Schedule } from "#shared/schedule/schedule.ts";
import { percent } from "#shared/series/statistics.ts";
import { formatRange } from "#shared/time/range.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { Run } from "../commands/types.ts";
import { orStop } from "../shell.ts";
import { extra, right, shrinking } from "../terminal/table.ts";
import { count, minuteText, visible } from "../terminal/text.ts";

/** Number of ranges that the table shows without --all. */
const SHOWN = 60;

export function addScheduleLedger(parent: Command, run: Run): void {
  parent
    .command("ledger")
    .argument("<name>", "as “schedule” lists it")
    .description(
      "Lists the ranges of a schedule: when each was due, tried and delivered, how complete its data are, and which files it " +
        "has. A range that is not final is tried again. With --json, all ranges.",
    )
    .option("--all", `every range (default: those that are not final, and the last ${SHOWN})`)
    .action(
      run(async (shell, name: string, options: { all?: boolean }) => {
        const { store } = (await shell.app()).schedules;
        const stored = orStop(store.named(name));
        const { id, schedule } = stored;
        store.ledger.enter(stored, shell.now());
        const ranges = store.ledger.all(id);
        shell.output.document("schedule ledger", {
          name: schedule.name,
          ranges: ranges.map((range) => ({ ...range, isOpen: isOpen(range, schedule, shell.now()) })),
        });
        if (ranges.length === 0) return shell.output.print("No range has been due yet.");
        const recent = new Set(ranges.slice(-SHOWN));
        const shown = ranges.filter((range) => options.all || range.state !== "final" || recent.has(range));
        const columns = [
          "Range",
          ...extra("Due", "Tried"),
          "Delivered",
          right("Complete"),
          right("Files"),
          shrinking("State"),
        ];
        const rows = shown.map((range) => [
          formatRange(range),
          minuteText(range.dueMs),
          range.triedMs === null ? "" : minuteText(range.triedMs),
          range.deliveredMs === null ? "" : minuteText(range.deliveredMs),
          range.complete === null ? "" : percent(range.complete),
          count(range.files.length),
          visible(stateText(range, schedule, shell.now())),
        ]);
        const counts = countStates(ranges);
        const total = RANGE_STATES.filter((state) => counts[state] > 0).map(
          (state) => `${count(counts[state])} ${RANGE_STATE_WORDS[state]}`,
        );
        shell.output.table(columns, rows);
        shell.output.print(["", `${total.join(", ")}.`]);
      }),
    );
}

function stateText(range: LedgerRange, schedule: Schedule, nowMs: UtcMs): string {
  const { state, reason } = range;
  const words = RANGE_STATE_WORDS[state];
  const isOver = state !== "final" && !isOpen(range, schedule, nowMs);
  return `${words}${isOver ? ", too old to be tried again" : ""}${reason === null ? "" : `: ${reason}`}`;
}
