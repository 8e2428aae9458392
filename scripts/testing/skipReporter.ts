import type { Reporter, TestModule } from "vitest/node";

/** Prints the reason for each skipped test, so that skips are noticed. On CI, a skip without a reason fails the run. */
export class SkipReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules) {
      for (const test of module.children.allTests("skipped")) {
        const result = test.result();
        const reason = result.state === "skipped" ? result.note : undefined;
        console.log(`skipped: ${test.fullName}: ${reason ?? "no reason was given"}`);
        if (reason === undefined && process.env["CI"]) process.exitCode = 1;
      }
    }
  }
}

// Vitest loads a reporter by its default export.
// oxlint-disable-next-line import/no-default-export -- as above
export default SkipReporter;
