import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, expect, it } from "vitest";
import { KEY } from "../support/desk.ts";
import { forEachShell } from "./harness/forEachShell.ts";
import { SOON } from "./harness/soon.ts";

const NAMES = ["Aaltola", "Borgen", "Corsica", "Dalen", "Espoo"];
const PAGE_SIZE = 2;

/** The part of a list of stations that a request asks for; the two heights of a station differ. */
function pageOf(url: URL): object {
  const page = Number(url.searchParams.get("page"));
  const size = Math.min(PAGE_SIZE, Number(url.searchParams.get("page_size")));
  const reference = url.searchParams.get("height_vertical_reference");
  const stations = NAMES.slice((page - 1) * size, page * size).map((name) => ({
    id: `id-${name}`,
    display_name: name,
    // It cannot be compressed much.
    location_alias: Array.from({ length: 400 }, () => Math.random().toString(36)).join(""),
    height: reference === "EGM2008" ? 71 : 93,
    height_vertical_reference: reference,
  }));
  const total_pages = Math.ceil(NAMES.length / size);
  return { stations, pagination: { page, page_size: size, total_items: NAMES.length, total_pages } };
}

function listed(page: Page): Promise<string> {
  return page.getByRole("heading", { name: /^Stations \d/ }).innerText();
}

forEachShell("a service that answers slowly", { shells: 1 }, (page) => {
  /** Answers the oldest waiting request. */
  const waiting: (() => void)[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url!, "http://x");
    const empty = { networks: [], pagination: { page: 1, page_size: 100, total_items: 0, total_pages: 1 } };
    const body = url.pathname.endsWith("/networks") ? empty : pageOf(url);
    const answer = (): void => void response.setHeader("content-type", "application/json").end(JSON.stringify(body));
    // The test of the connection asks for one station.
    if (url.searchParams.get("page_size") === "1") answer();
    else waiting.push(answer);
  });
  afterAll(() => server.closeAllConnections());

  async function answerOne(): Promise<void> {
    await expect.poll(() => waiting.length, SOON).toBeGreaterThan(0);
    waiting.shift()?.();
  }
  it("shows stations page by page, and each height when its list arrives", async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    await page.getByLabel("Address of the service").fill(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await page.getByLabel("API key", { exact: true }).fill(KEY);
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    const status = (words: RegExp) => page.getByRole("button", { name: words });
    await status(/^Status: not contacted yet/).waitFor();
    const size = page.getByText(/^cache [\d.]+ .B/);
    const emptySize = await size.innerText();
    // Neither the list nor the view asks for a selection while there is nothing to select from.
    const waits = page.getByRole("heading", { name: "Fetching the station list" });
    const offers = page.getByRole("heading", { name: "No station selected" });
    await expect.poll(() => waits.count(), SOON).toBe(2);
    expect(await offers.count()).toBe(0);
    await answerOne();
    await status(/^Status: online · fetching the list of stations/).waitFor();
    await expect.poll(() => listed(page), SOON).toBe("Stations 2");
    const soFar = page.getByText("so far", { exact: true });
    await soFar.waitFor();
    await offers.waitFor();
    expect(await waits.count()).toBe(0);
    await answerOne();
    await expect.poll(() => listed(page), SOON).toBe("Stations 4");
    await answerOne();
    await expect.poll(() => listed(page), SOON).toBe("Stations 5");
    await page.getByRole("row", { name: /Aaltola/ }).click();
    await page.getByRole("button", { name: "Details of Aaltola" }).click();
    await page.getByText(/\b93\b.* m/).waitFor();
    expect(await page.getByText(/\b71\b.* m/).count()).toBe(0);
    await answerOne();
    await page.getByText(/\b71\b.* m/).waitFor();
    for (let rest = 0; rest < 3; rest++) await answerOne();
    await status(/^Status: online · nothing running/).waitFor();
    await expect.poll(() => listed(page), SOON).toBe("Stations 5");
    expect(await soFar.count()).toBe(0);
    // Of the list too.
    await expect.poll(() => size.innerText(), SOON).not.toBe(emptySize);
  });
});
