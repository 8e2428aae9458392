import { afterAll, describe, it } from "vitest";
import { IS_ENDURANCE, IS_GATE } from "../support/endurance.ts";
import { asProcess, inProcess } from "./commands.ts";
import { writeReport } from "./report.ts";
import { type Outcome, runScenario } from "./run.ts";
import type { Scenario } from "./scenario.ts";
import { ANSWERS } from "./forms/answers.ts";
import { CATALOGUE } from "./forms/catalogue.ts";
import { ENDLESS } from "./forms/endless.ts";
import { ROWS } from "./forms/rows.ts";
import { SERVICE } from "./forms/service.ts";
import { TRANSPORT } from "./forms/transport.ts";

/** Hostile behaviour beyond the reference service; names begin with the kind. */
const SCENARIOS: readonly Scenario[] = [...ROWS, ...ANSWERS, ...TRANSPORT, ...SERVICE, ...CATALOGUE, ...ENDLESS];

/** Selects the scenarios that run: in the gate one of every second kind, otherwise one of each. ZENITH_SEED sets another. */
const SEED = Number(process.env["ZENITH_SEED"] ?? 12);

function selected(): readonly Scenario[] {
  if (IS_ENDURANCE) return SCENARIOS;
  const short = Map.groupBy(
    SCENARIOS.filter(({ isLong }) => !isLong),
    ({ name }) => name.split(":")[0],
  );
  return [...short.values()]
    .map((ofKind, i) => ofKind[(SEED * 31 + i * 7) % ofKind.length]!)
    .filter((_, i) => !IS_GATE || (i + SEED) % 2 === 0);
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
