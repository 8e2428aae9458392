import { afterAll, describe, it } from "vitest";
import { IS_ENDURANCE, IS_GATE } from "../support/endurance.ts";
import { asProcess, inProcess } from "./commands.ts";
import { writeReport } from "./report.ts";
import { type Outcome, runScenario } from "./run.ts";
import type { Scenario } from "./scenario.ts";
import { SCENARIOS } from "./scenarios.ts";

/** Selects the scenarios that run: in the gate one of every second class, otherwise one of each. ZENITH_SEED sets another seed. */
const SEED = Number(process.env["ZENITH_SEED"] ?? 12);
const CLASSES = ["identifiers", "ranges", "emptiness", "values", "count", "duplicates", "transport", "storm"].concat([
  "identity",
  "times",
  "words",
  "bodies",
  "wire",
  "clocks",
  "pages",
  "large",
]);

/** Short scenarios, or all of them in the endurance run. */
function selected(): readonly Scenario[] {
  if (IS_ENDURANCE) return SCENARIOS;
  const classes = IS_GATE ? CLASSES.filter((_, i) => (i + SEED) % 2 === 0) : CLASSES;
  return classes.map((group, i) => {
    const ofGroup = SCENARIOS.filter((s) => s.name.startsWith(`${group}:`) && !s.isLong);
    return ofGroup[(SEED * 31 + i * 7) % ofGroup.length]!;
  });
}

describe.concurrent("all values survive a hostile service, or are reported as failed:", () => {
  const outcomes = new Map<Scenario, Outcome>();
  afterAll(() => {
    // The report requires a complete run: counts of a subset would be misleading.
    const all = SCENARIOS.flatMap((scenario) => outcomes.get(scenario) ?? []);
    if (IS_ENDURANCE && all.length === SCENARIOS.length) writeReport(all);
  });

  it.for(selected())("$name", { timeout: 1_800_000 }, async (scenario, { expect }) => {
    const outcome = await runScenario(scenario, IS_ENDURANCE ? asProcess : inProcess);
    outcomes.set(scenario, outcome);
    const { lost, invented, misnamed, wronglyFailed, faults, output } = outcome;
    const expected = { lost: 0, invented: 0, misnamed: 0, wronglyFailed: 0, faults: [] };
    expect({ lost, invented, misnamed, wronglyFailed, faults }, output).toEqual(expected);
  });
});
