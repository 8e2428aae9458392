import type { Reporter, TestCase, TestModule, TestSuite } from "vitest/node";

type Hook = Parameters<NonNullable<Reporter["onHookEnd"]>>[0];

/** Added to the report of a file by `test/support/cost.ts`. */
export interface FileCost {
  /** Processor time of a test file and of the processes it started, milliseconds. */
  cpuMs?: number;
}

interface Cost {
  readonly name: string;
  readonly wallMs: number;
  readonly cpuMs: number | null;
}

const MAX_LISTED = 15;

/**
 * Prints the slowest files, hooks and tests by wall time. The processor time of a file includes the processes it started
 * (`test/support/cost.ts`).
 */
export class CostReporter implements Reporter {
  readonly #hookStarts = new Map<string, number>();
  readonly #hooks: Cost[] = [];

  onHookStart(hook: Hook): void {
    this.#hookStarts.set(keyOf(hook), performance.now());
  }

  onHookEnd(hook: Hook): void {
    const startedMs = this.#hookStarts.get(keyOf(hook));
    // Hooks around each test count as part of the test.
    if (startedMs === undefined || hook.name === "beforeEach" || hook.name === "afterEach") return;
    const name = `${pathOf(hook.entity)} ${hook.name} ${hook.entity.type === "suite" ? hook.entity.fullName : ""}`;
    this.#hooks.push({ name, wallMs: performance.now() - startedMs, cpuMs: null });
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map((module): Cost => {
      const { collectDuration, setupDuration, environmentSetupDuration, prepareDuration, duration } =
        module.diagnostic();
      const wallMs = collectDuration + setupDuration + environmentSetupDuration + prepareDuration + duration;
      return { name: pathOf(module), wallMs, cpuMs: (module.meta() as FileCost).cpuMs ?? null };
    });
    const tests = modules.flatMap((module) =>
      [...module.children.allTests()].map((test): Cost => {
        return { name: `${pathOf(module)} ${test.fullName}`, wallMs: test.diagnostic()?.duration ?? 0, cpuMs: null };
      }),
    );
    print("Files", files);
    print("Hooks", this.#hooks);
    print("Tests", tests);
  }
}

function keyOf({ name, entity }: Hook): string {
  return `${name} ${entity.id}`;
}

function pathOf(entity: TestModule | TestSuite | TestCase): string {
  return (entity.type === "module" ? entity : entity.module).relativeModuleId;
}

function print(title: string, costs: readonly Cost[]): void {
  const sum = (timeOf: (cost: Cost) => number): string => seconds(costs.reduce((ms, cost) => ms + timeOf(cost), 0));
  const cpu = costs.some((c) => c.cpuMs !== null) ? `, processor ${sum((c) => c.cpuMs ?? 0)}` : "";
  console.log(`\nSlowest ${title.toLowerCase()} (of ${costs.length}: wall ${sum((c) => c.wallMs)}${cpu})`);
  for (const { name, wallMs, cpuMs } of costs.toSorted((a, b) => b.wallMs - a.wallMs).slice(0, MAX_LISTED))
    console.log(`${seconds(wallMs).padStart(9)} ${(cpuMs === null ? "" : seconds(cpuMs)).padStart(9)}  ${name}`);
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(2)} s`;
}

// Vitest loads a reporter by its default export.
// oxlint-disable-next-line import/no-default-export -- as above
export default CostReporter;
