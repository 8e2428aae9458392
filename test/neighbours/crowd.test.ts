import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { IS_ENDURANCE, tries } from "../support/endurance.ts";
import { ALL, WINDOW } from "./commands.ts";
import { asCalls, asPrograms, type Meeting, type Neighbourhood, openNeighbourhood } from "./meeting.ts";
import { writeFigures } from "./report.ts";

/** Which commands meet hangs on this number: ZENITH_SEED gives others. */
const SEED = Number(process.env["ZENITH_SEED"] ?? 4);
/** Programs take a second to start each: the gate lets the same commands meet within one process. */
const run = IS_ENDURANCE ? asPrograms : asCalls;
const LONGEST_DELAY_MS = IS_ENDURANCE ? 500 : 60;

/** What is asked of a service tells what was kept: meetings at the same time have one each. */
const LANES = tries(1, 4);
const places: Neighbourhood[] = [];
const free: Neighbourhood[] = [];
/** In the order in which they came: whoever is passed over until the end has waited for too long. */
const waiting: ((place: Neighbourhood) => void)[] = [];
beforeAll(async () => {
  for (let lane = 0; lane < LANES; lane++) places.push(await openNeighbourhood());
  free.push(...places);
}, 120_000);
afterAll(() => Promise.all(places.map((place) => place.close())));

/** Vitest runs more tests at once than there are lanes. */
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

/** Deterministic numbers in [0, 1). */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const random = seeded(SEED);
/** A window needs a process of its own. */
const commands = IS_ENDURANCE ? ALL : ALL.filter((name) => name !== WINDOW);
const anyOf = (): string => commands[Math.floor(random() * commands.length)]!;

/** Every pair, each command with itself too; or some of them. */
function pairs(): (readonly string[])[] {
  const all = ALL.flatMap((a, i) => ALL.slice(i).map((b) => [a, b]));
  return IS_ENDURANCE ? all : Array.from({ length: 1 }, () => [anyOf(), anyOf()]);
}

const fives = Array.from({ length: tries(2, 40) }, () => Array.from({ length: 5 }, anyOf));

describe.each([
  ["two", pairs()],
  ["five", fives],
] as const)("%s programs at one data folder", (kind, groups) => {
  const met: Meeting[] = [];
  it.concurrent.each(groups.map((names) => [names.join(" + "), names] as const))(
    "%s: each ends in order or with a sentence, and every row is right",
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

/** What is not as it has to be, and what everybody said to it. */
function explained({ faults, ended }: Meeting): string[] {
  return faults.length === 0 ? [] : [...faults, ...ended.map(({ name, code, stderr }) => `${name}: ${code} ${stderr}`)];
}
