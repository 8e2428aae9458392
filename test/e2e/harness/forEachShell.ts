import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { tries } from "../../support/endurance.ts";
import { DRIVERS } from "./drivers.ts";
import { type OpenOptions, openShell, type OpenShell } from "./shell.ts";

/** Time limit of a test or hook: the endurance run does more in each test, and takes pictures. */
const LIMIT_MS = tries(120_000, 600_000);

export interface SuiteOptions extends OpenOptions {
  /** Maximum number of shells, the cheapest first; all by default. */
  readonly shells?: number;
}

/**
 * Runs a suite in every shell that can run here; the others are reported as skipped, with the reason. The tests of a
 * suite share one application and run in order, like the steps of a user. Behaviour of the page alone is the same in
 * every shell: such a suite runs in the first shell in the gate, with `shells: tries(1, Infinity)`.
 *
 * @param suite declares the tests; `page` is the first window of the application `shell`, from within a test, also after a restart
 */
export function forEachShell(
  name: string,
  { shells = Infinity, ...options }: SuiteOptions,
  suite: (page: Page, shell: OpenShell) => void,
): void {
  // An application in a real browser is slow on a busy computer.
  vi.setConfig({ testTimeout: LIMIT_MS, hookTimeout: LIMIT_MS });
  for (const driver of DRIVERS.slice(0, shells)) {
    describe(`${name}, ${driver.kind}`, () => {
      const reason = driver.unavailable();
      // oxlint-disable-next-line vitest/no-conditional-tests, vitest/expect-expect -- a shell that cannot run here says so
      if (reason !== null) return it("runs", (context) => context.skip(reason));
      let opened: OpenShell | null = null;
      beforeAll(async () => {
        opened = await openShell(driver, options);
      });
      afterAll(async () => {
        await opened?.close();
      });
      const current = (): OpenShell => {
        if (!opened) throw new Error("The shell is open only while a test runs.");
        return opened;
      };
      suite(
        live(() => current().page),
        live(current),
      );
      it("causes no errors or forbidden actions in its pages", () => expect(opened?.problems).toEqual([]));
    });
  }
}

/** Stands for an object that is known only later, and is another one after a restart. */
function live<T extends object>(current: () => T): T {
  return new Proxy<T>({} as T, {
    get(_, name) {
      const target = current();
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
    getPrototypeOf: () => Reflect.getPrototypeOf(current()),
  });
}
