import { isDeepStrictEqual } from "node:util";
import { beforeAll, expect, it } from "vitest";
import { unpack } from "#shared/bridge/transport/pack.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { forEachShell } from "../e2e/harness/forEachShell.ts";
import type { OpenShell } from "../e2e/harness/shell.ts";
import { SOON } from "../e2e/harness/soon.ts";
import { tries } from "../support/endurance.ts";

interface Asked {
  readonly call?: string;
  readonly input?: { readonly stationIds?: readonly string[]; readonly range?: TimeRange; readonly ahead?: boolean };
}

interface Reporting {
  told(text: string): void;
}

/** What the page asks of the core from its next document on. */
async function asked({ page, kind }: OpenShell): Promise<Asked[]> {
  const sent: Asked[] = [];
  if (kind === "web") {
    page.on("websocket", (socket) =>
      socket.on("framesent", ({ payload }) => {
        if (typeof payload !== "string") sent.push(unpack(new Uint8Array(payload)) as Asked);
      }),
    );
    return sent;
  }
  await page.exposeFunction("told", (text: string) => void sent.push(JSON.parse(text) as Asked));
  await page.addInitScript(() => {
    addEventListener("message", ({ ports: [port] }) => {
      if (!port) return;
      const post = port.postMessage.bind(port);
      port.postMessage = (message: Asked): void => {
        (globalThis as unknown as Reporting).told(JSON.stringify({ call: message.call, input: message.input }));
        post(message);
      };
    });
  });
  return sent;
}

forEachShell("reading ahead of a choice", { shells: tries(1, Infinity) }, (opened) => {
  let shell: OpenShell;
  let sent: Asked[];
  beforeAll(async () => {
    shell = opened();
    const { page } = shell;
    await page.getByRole("button", { name: /Explore the demo/ }).click();
    await page.getByText("Everything is cached").waitFor({ timeout: 60_000 });
    sent = await asked(shell);
    // The way to the core is one of before.
    await page.reload();
    await page.locator('[data-variable="ztd"][data-drawn="3"]').waitFor();
  }, 120_000);

  /** Questions about what is in sight of one station: the plot's own are about several, or about the surroundings too. */
  const alone = (): string[] => {
    const windows = sent.flatMap(({ call, input }) => (call === "series.window" && input ? [input] : []));
    const inSight = windows.filter(({ range }) => isDeepStrictEqual(range, windows[0]!.range));
    return inSight.flatMap(({ stationIds }) => (stationIds?.length === 1 ? stationIds : []));
  };
  const windowsOf = (id: string): number => alone().filter((other) => other === id).length;
  /** Questions for no one to look at. */
  const warmUps = (): number => sent.filter(({ call, input }) => call === "series.window" && input?.ahead).length;
  const rowOf = (isChosen: boolean) => shell.page.locator(`[role=grid] [data-id][aria-selected=${isChosen}]`).first();

  it("asks for a station that the pointer is on, once, and for none that is drawn already", async () => {
    const other = rowOf(false);
    const id = (await other.getAttribute("data-id"))!;
    expect(windowsOf(id)).toBe(0);
    await other.hover();
    await expect.poll(() => windowsOf(id), SOON).toBe(1);
    const chosen = (await rowOf(true).getAttribute("data-id"))!;
    await rowOf(true).hover();
    // By what comes after: the pointer is on a third one, and that was asked for.
    const third = shell.page.locator("[role=grid] [data-id][aria-selected=false]").nth(1);
    await third.hover();
    const thirdId = (await third.getAttribute("data-id"))!;
    await expect.poll(() => windowsOf(thirdId), SOON).toBe(1);
    expect(windowsOf(id)).toBe(1);
    expect(windowsOf(chosen)).toBe(0);
  });

  it("draws a pressed station from what was asked when the pointer came", async () => {
    const { page } = shell;
    // With several chosen, a press shows details and leaves the choice alone.
    await page.getByRole("button", { name: "Clear selection" }).click();
    // Further down than those of before.
    const id = (await page.locator('[role=grid] [aria-rowindex="12"]').getAttribute("data-id"))!;
    const other = page.locator(`[role=grid] [data-id="${id}"]`);
    await other.hover();
    await expect.poll(() => windowsOf(id), SOON).toBeGreaterThan(0);
    const questions = (): string[] =>
      sent
        .filter(({ call, input }) => call === "series.window" && input?.stationIds?.includes(id))
        .map(({ input }) => JSON.stringify(input));
    const before = questions();
    await other.click();
    await page.locator('[data-variable="ztd"][data-drawn="1"]').waitFor();
    // Its surroundings are asked for after that, and are another range.
    expect(questions().slice(before.length)).not.toContain(before.at(-1));
  });

  it("asks for one that the keyboard comes to", async () => {
    const { page } = shell;
    await page.mouse.move(700, 5);
    await page.getByRole("grid", { name: "Stations" }).focus();
    await page.keyboard.press("End");
    const last = page.locator("[role=grid] [data-id][data-focused]");
    await last.waitFor();
    const id = (await last.getAttribute("data-id"))!;
    await expect.poll(() => windowsOf(id), SOON).toBe(1);
  });

  it("reads one that is cached where a start finds none chosen, as used by no one, and shows nothing of it", async () => {
    const { page } = shell;
    await page.getByRole("button", { name: "Clear selection" }).click();
    await page.getByText("No station selected").waitFor();
    expect(warmUps()).toBe(0);
    await expect
      .poll(() => sent.findLast(({ call }) => call === "settings.writeWorkspace")?.input, SOON)
      .toMatchObject({ content: expect.stringContaining('"stationIds":[]') });
    await page.reload();
    await expect.poll(warmUps, SOON).toBe(1);
    await page.getByText("No station selected").waitFor();
    expect(await page.locator("[data-drawn]").count()).toBe(0);
    await rowOf(false).click();
    await page.locator('[data-variable="ztd"][data-drawn="1"]').waitFor();
    expect(warmUps()).toBe(1);
  });
});
