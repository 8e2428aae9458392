import type { Reporter, TestModule } from "vitest/node";

/** Says of each test that was left out why: a skip without a reason is a hole nobody sees. */
export class SkipReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules) {
      for (const test of module.children.allTests("skipped")) {
        const result = test.result();
        const reason = result.state === "skipped" ? result.note : undefined;
        console.log(`skipped: ${test.fullName}: ${reason ?? "no reason was given"}`);
      }
    }
  }
}

// Vitest loads a reporter by its default export.
// oxlint-disable-next-line import/no-default-export -- as above
export default SkipReporter;
