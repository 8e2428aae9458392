import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seeded } from "../support/seeded.ts";
import { IS_ENDURANCE, tries } from "../support/endurance.ts";
import { ALL, WINDOW } from "./commands.ts";
import { asCalls, asPrograms, type Meeting, type Neighbourhood, openNeighbourhood } from "./meeting.ts";
import { writeFigures } from "./report.ts";

/** The seed selects the commands that meet; ZENITH_SEED overrides it. */
const SEED = Number(process.env["ZENITH_SEED"] ?? 4);
/** Programs take a second to start, so the gate runs the commands within one process. */
const run = IS_ENDURANCE ? asPrograms : asCalls;
const LONGEST_DELAY_MS = IS_ENDURANCE ? 500 : 60;

/** Requests show which data was kept, so concurrent meetings have separate services. */
const LANES = tries(1, 4);
const places: Neighbourhood[] = [];
const free: Neighbourhood[] = [];
/** Waiting tests, in order of arrival. */
const waiting: ((place: Neighbourhood) => void)[] = [];
beforeAll(async () => {
  for (let lane = 0; lane < LANES; lane++) places.push(await openNeighbourhood());
  free.push(...places);
}, 120_000);
afterAll(() => Promise.all(places.map((place) => place.close())));

/** Vitest runs more tests concurrently than there are places. */
async function atFreePlace<T>(work: (place: Neighbourhood) => Promise<T>): Promise<T> {
  const place = free.pop() ?? (await new Promise<Neighbourhood>((resolve) => waiting.push(resolve)));
  try {
    return await work(place);
  } finally {
    const next = waiting.shift();
    if (next) next(place);
    else free.push(place);
  }
}

const random = seeded(SEED);
/** A window needs a separate process. */
const commands = IS_ENDURANCE ? ALL : ALL.filter((name) => name !== WINDOW);
const anyOf = (): string => commands[Math.floor(random() * commands.length)]!;

/** All pairs, including each command with itself; the gate has pairs in its five. */
const pairs = IS_ENDURANCE ? ALL.flatMap((a, i) => ALL.slice(i).map((b) => [a, b])) : [];

const fives = Array.from({ length: tries(1, 40) }, () => Array.from({ length: 5 }, anyOf));

describe.each(
  (
    [
      ["two", pairs],
      ["five", fives],
    ] as const
  ).filter(([, groups]) => groups.length > 0),
)("%s programs in one data folder", (kind, groups) => {
  const met: Meeting[] = [];
  it.concurrent.each(groups.map((names) => [names.join(" + "), names] as const))(
    "%s: each succeeds or fails with a message, and every row is right",
    async (_, names) => {
      const delays = names.map(() => random() * LONGEST_DELAY_MS);
      const meeting = await atFreePlace((place) => place.meet(names, delays, run));
      met.push(meeting);
      expect(meeting.compared.rows).toBeGreaterThan(0);
      expect(explained(meeting)).toEqual([]);
    },
    tries(30_000, 300_000),
  );
  afterAll(() => {
    if (IS_ENDURANCE) writeFigures(`programs at once: ${kind}`, met, groups.length);
  });
});

/** Returns the faults, followed by the outputs of all programs. */
function explained({ faults, ended }: Meeting): string[] {
  return faults.length === 0 ? [] : [...faults, ...ended.map(({ name, code, stderr }) => `${name}: ${code} ${stderr}`)];
}
