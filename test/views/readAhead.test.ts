import { isDeepStrictEqual } from "node:util";
import { beforeAll, expect, it } from "vitest";
import { unpack } from "#shared/bridge/transport/pack.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { forEachShell } from "../e2e/harness/forEachShell.ts";
import type { OpenShell } from "../e2e/harness/shell.ts";
import { SOON } from "../e2e/harness/soon.ts";
import { tries } from "../support/endurance.ts";

interface SentCall {
  readonly call?: string;
  readonly input?: { readonly stationIds?: readonly string[]; readonly range?: TimeRange; readonly ahead?: boolean };
}

interface Recorder {
  recordCall(text: string): void;
}

/** Records calls of the page to the core, after the next load. */
async function recordedCalls({ page, kind }: OpenShell): Promise<SentCall[]> {
  const sent: SentCall[] = [];
  if (kind === "web") {
    page.on("websocket", (socket) =>
      socket.on("framesent", ({ payload }) => {
        if (typeof payload !== "string") sent.push(unpack(new Uint8Array(payload)) as SentCall);
      }),
    );
    return sent;
  }
  await page.exposeFunction("recordCall", (text: string) => void sent.push(JSON.parse(text) as SentCall));
  await page.addInitScript(() => {
    addEventListener("message", ({ ports: [port] }) => {
      if (!port) return;
      const post = port.postMessage.bind(port);
      port.postMessage = (message: SentCall): void => {
        (globalThis as unknown as Recorder).recordCall(JSON.stringify({ call: message.call, input: message.input }));
        post(message);
      };
    });
  });
  return sent;
}

forEachShell("reading ahead of a selection", { shells: tries(1, Infinity) }, (opened) => {
  let shell: OpenShell;
  let sent: SentCall[];
  beforeAll(async () => {
    shell = opened();
    const { page } = shell;
    await page.getByRole("button", { name: /Explore the demo/ }).click();
    await page.getByText("Everything selected is cached").waitFor({ timeout: 60_000 });
    sent = await recordedCalls(shell);
    // The current connection to the core is not recorded.
    await page.reload();
    await page.locator('[data-variable="ztd"][data-drawn="3"]').waitFor();
  }, 120_000);

  /** Stations that were requested alone for the visible range, unlike by the plot. */
  const singleStations = (): string[] => {
    const windows = sent.flatMap(({ call, input }) => (call === "series.window" && input ? [input] : []));
    const visible = windows.filter(({ range }) => isDeepStrictEqual(range, windows[0]!.range));
    return visible.flatMap(({ stationIds }) => (stationIds?.length === 1 ? stationIds : []));
  };
  const windowsOf = (id: string): number => singleStations().filter((other) => other === id).length;
  /** Requests of data that is not shown. */
  const warmUps = (): number => sent.filter(({ call, input }) => call === "series.window" && input?.ahead).length;
  const rowOf = (isChosen: boolean) => shell.page.locator(`[role=grid] [data-id][aria-selected=${isChosen}]`).first();

  it("requests a station under the pointer once, unless it is drawn already", async () => {
    const other = rowOf(false);
    const id = (await other.getAttribute("data-id"))!;
    expect(windowsOf(id)).toBe(0);
    await other.hover();
    await expect.poll(() => windowsOf(id), SOON).toBe(1);
    const chosen = (await rowOf(true).getAttribute("data-id"))!;
    await rowOf(true).hover();
    // When a third station under the pointer was requested, all requests for the others have been sent.
    const third = shell.page.locator("[role=grid] [data-id][aria-selected=false]").nth(1);
    await third.hover();
    const thirdId = (await third.getAttribute("data-id"))!;
    await expect.poll(() => windowsOf(thirdId), SOON).toBe(1);
    expect(windowsOf(id)).toBe(1);
    expect(windowsOf(chosen)).toBe(0);
  });

  it("draws a clicked station from the data requested when the pointer reached it", async () => {
    const { page } = shell;
    // With several selected stations, a click would show details without changing the selection.
    await page.getByRole("button", { name: "Clear selection" }).click();
    // A station that the previous test did not use.
    const id = (await page.locator('[role=grid] [aria-rowindex="12"]').getAttribute("data-id"))!;
    const other = page.locator(`[role=grid] [data-id="${id}"]`);
    await other.hover();
    await expect.poll(() => windowsOf(id), SOON).toBeGreaterThan(0);
    const requests = (): string[] =>
      sent
        .filter(({ call, input }) => call === "series.window" && input?.stationIds?.includes(id))
        .map(({ input }) => JSON.stringify(input));
    const before = requests();
    await other.click();
    await page.locator('[data-variable="ztd"][data-drawn="1"]').waitFor();
    // Later requests are for the surroundings, which are another range.
    expect(requests().slice(before.length)).not.toContain(before.at(-1));
  });

  it("requests a station focused by keyboard", async () => {
    const { page } = shell;
    await page.mouse.move(700, 5);
    await page.getByRole("grid", { name: "Stations" }).focus();
    await page.keyboard.press("End");
    const last = page.locator("[role=grid] [data-id][data-focused]");
    await last.waitFor();
    const id = (await last.getAttribute("data-id"))!;
    await expect.poll(() => windowsOf(id), SOON).toBe(1);
  });

  it("reads a cached station at the start without a selection, without showing it", async () => {
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
