import { beforeAll, expect, it } from "vitest";
import { forEachShell } from "../e2e/harness/forEachShell.ts";
import { SOON } from "../e2e/harness/soon.ts";
import { exploreDemo } from "../e2e/harness/steps.ts";
import { tries } from "../support/endurance.ts";

interface Fiber {
  readonly tag: number;
  readonly flags: number;
  readonly alternate: Fiber | null;
  readonly child: Fiber | null;
  readonly sibling: Fiber | null;
}

/** Counts the components that React renders, as its developer tools do: fibers that are new in a commit and did work. */
function countRenders(): void {
  const FUNCTIONS = new Set([0, 11, 14, 15]);
  const PERFORMED_WORK = 1;
  let before = new Set<Fiber>();
  const page = globalThis as unknown as { renders: number; __REACT_DEVTOOLS_GLOBAL_HOOK__: object };
  page.renders = 0;
  page.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
    supportsFiber: true,
    inject: () => 1,
    onCommitFiberUnmount: () => {},
    onPostCommitFiberRoot: () => {},
    onCommitFiberRoot(_id: number, root: { readonly current: Fiber }) {
      const now = new Set<Fiber>();
      const stack: (Fiber | null)[] = [root.current];
      for (let fiber = stack.pop(); fiber !== undefined; fiber = stack.pop()) {
        if (!fiber) continue;
        now.add(fiber);
        if (!before.has(fiber) && FUNCTIONS.has(fiber.tag) && (fiber.flags & PERFORMED_WORK) !== 0) page.renders++;
        stack.push(fiber.sibling, fiber.child);
      }
      before = now;
    },
  };
}

forEachShell("renders", { shells: tries(1, Infinity) }, (page) => {
  beforeAll(async () => {
    await exploreDemo(page);
    await page.addInitScript(countRenders);
    await page.reload();
    await page.locator('[data-variable="ztd"][data-drawn="3"]').waitFor();
  }, 120_000);

  const renders = (): Promise<number> => page.evaluate(() => (globalThis as unknown as { renders: number }).renders);
  /** Waits until nothing is rendered between two questions of the test. */
  const settled = async (): Promise<number> => {
    let last = -1;
    await expect
      .poll(
        async () => {
          const now = await renders();
          const isSame = now === last;
          last = now;
          return isSame;
        },
        { ...SOON, interval: 400 },
      )
      .toBe(true);
    return last;
  };

  /** Returns the number of renders that an action causes. */
  const rendersOf = async (action: () => Promise<void>): Promise<number> => {
    const before = await settled();
    await action();
    await expect.poll(renders, SOON).toBeGreaterThan(before);
    return (await settled()) - before;
  };

  it("of a zoom concern the plot and what shows its range", async () => {
    await page.locator('[data-variable="ztd"] .u-over').hover({ position: { x: 300, y: 60 } });
    expect(await rendersOf(() => page.mouse.wheel(0, -100))).toBeLessThan(60);
  });

  it("of another view concern this view", async () => {
    const toTable = await rendersOf(async () => {
      await page.keyboard.press("6");
      await page.getByRole("grid", { name: "Rows" }).waitFor();
    });
    const toSeries = await rendersOf(async () => {
      await page.keyboard.press("1");
      await page.locator('[data-variable="ztd"][data-drawn="3"]').waitFor();
    });
    expect(Math.max(toTable, toSeries)).toBeLessThan(430);
  });
});
