import {
  countStates,
  isPlannedBy,
  type LedgerRange,
  openAt,
  RANGE_STATE_WORDS,
  RANGE_STATES,
} from "#shared/schedule/ledger.ts";
import { shortName } from "#shared/service/variables.ts";
import { percent } from "#shared/series/statistics.ts";
import { formatRange } from "#shared/time/range.ts";
import { command } from "../command.ts";
import { orStop } from "../shell.ts";
import { amount, extra, moment, shrinking } from "../terminal/table.ts";
import { count, visible } from "../terminal/text.ts";

/** The argument of commands that are about one schedule. */
export const NAME = { "<name>": "its name, as listed by “schedule”" };

/** Number of ranges that the table shows without --all. */
const SHOWN = 60;

export const addScheduleLedger = command({
  description:
    "Lists the ranges of a schedule: when each was due, tried and delivered, how complete its data are, and which files it " +
    "has. A range that is not final is tried again. With --json, all ranges.",
  words: { ...NAME, "--all": `every range (default: ranges that are not final, and the last ${SHOWN})` },
  async run(shell, { name, all }) {
    const { store } = (await shell.app()).schedules;
    const stored = orStop(store.named(name));
    const { schedule } = stored;
    const nowMs = Date.now();
    const isOpen = openAt(schedule, nowMs);
    const ranges = store.ledger.allAt(stored, nowMs);
    shell.output.document("schedule ledger", {
      name: schedule.name,
      // What is only for later runs is left out.
      ranges: ranges.map((range) => {
        const { writing: _, content: __, mark: ___, stations: ____, ...told } = range;
        return { ...told, isOpen: isOpen(range) };
      }),
    });
    if (ranges.length === 0) return shell.output.print("No range has been due yet.");
    const recent = new Set(ranges.slice(-SHOWN));
    const shown = ranges.filter((range) => all || range.state !== "final" || recent.has(range));
    const counts = countStates(ranges);
    const total = RANGE_STATES.filter((state) => counts[state] > 0).map(
      (state) => `${count(counts[state])} ${RANGE_STATE_WORDS[state]}`,
    );
    shell.output.table(shown, {
      Range: formatRange,
      Due: extra(moment((range) => range.dueMs)),
      Tried: extra(moment((range) => range.triedMs)),
      Delivered: moment((range) => range.deliveredMs),
      // The quantity that is least complete is named where one is not whole.
      Complete: { ...amount((range) => range.complete, percent), cell: completeText },
      Files: amount((range) => range.files.length),
      State: shrinking((range) => visible(stateText(range, isPlannedBy(range, nowMs) && !isOpen(range)))),
    });
    shell.output.print(["", `${total.join(", ")}.`]);
  },
});

function completeText({ complete, completeOf }: LedgerRange): string {
  if (complete === null) return "";
  return complete < 1 && completeOf !== null ? `${shortName(completeOf)} ${percent(complete)}` : percent(complete);
}

function stateText({ state, reason }: LedgerRange, isOver: boolean): string {
  const over = state !== "final" && isOver ? ", too old to be tried again" : "";
  return `${RANGE_STATE_WORDS[state]}${over}${reason === null ? "" : `: ${reason}`}`;
}
