import {
  closeSync,
  copyFileSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { basename, join } from "node:path";
import Database from "better-sqlite3";
import type { Page } from "playwright-core";
import { beforeAll, expect, it, vi } from "vitest";
import { forEachShell } from "../e2e/harness/forEachShell.ts";
import { allCached, exploreDemo, openSection, shareButton } from "../e2e/harness/steps.ts";
import { violationsOn } from "../support/axe.ts";
import { tries } from "../support/endurance.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

/** Describes the accessibility violations in the page. */
async function axeViolations(page: Page): Promise<string[]> {
  const violations = await violationsOn(page, { tags: ["wcag2a", "wcag2aa", "wcag21aa"] });
  return violations.flatMap((v) => v.nodes.map((n) => `${v.id}: ${n.html.slice(0, 200)}`));
}

const PAGE_BYTES = 8_192;

/** Overwrites the start of many pages in the second half of a file, like a failing disk. */
function corrupt(path: string): void {
  const { size } = statSync(path);
  const file = openSync(path, "r+");
  const first = Math.floor((size * 0.6) / PAGE_BYTES) * PAGE_BYTES;
  for (let at = first; at < size * 0.75; at += PAGE_BYTES) writeSync(file, Buffer.alloc(900, 0xa7), 0, 900, at);
  closeSync(file);
}

forEachShell("session files and damaged caches", { shells: tries(1, Infinity) }, (page, shell) => {
  let path: string;
  const menu = async (entry: string | RegExp): Promise<void> => {
    await page.getByRole("button", { name: /^Connection:/ }).click();
    await page.getByRole("menuitem", { name: entry }).click();
  };
  const openFile = async (files: string): Promise<void> => {
    await shell.opened(files, () => menu(/Open a file from a colleague/));
  };
  /** Moves all data into the main database file. */
  const compact = async (): Promise<void> => {
    await page.getByRole("button", { name: "Compact", exact: true }).click();
    await page.getByText(/were freed|no unused space/).waitFor();
  };
  const cache = (): string => join(shell.dataFolder, "cache-demo.db");

  beforeAll(async () => {
    await exploreDemo(page);
  });

  it("shows the size in advance and writes views and data", async () => {
    // Half of the week, which fixes the range; otherwise it would move on by a minute that is not in the file.
    await page.keyboard.press("+");
    await page.keyboard.press("Control+s");
    await page.getByLabel("Name", { exact: true }).fill("Three stations");
    await page.keyboard.press("Enter");
    await page.getByText("“Three stations” was saved.").waitFor();
    await menu(/Rename, delete or share views/);
    await page.getByRole("button", { name: "Share “Three stations” as a file" }).click();
    await page.getByText("Views only: no data, no address and no key.").waitFor();
    await page.getByRole("radio", { name: "Views and data" }).click();
    await page.getByText(/^About [\d.]+ [kM]B: 3 stations of Demo$/).waitFor();
    await page.getByLabel("Your name").fill("Anna");
    expect(await axeViolations(page)).toEqual([]);
    const file = await shell.saved(() => shareButton(page).click());
    expect(file.suggestedName).toBe("Three stations.zenith");
    path = join(shell.dataFolder, "handed.zenith");
    copyFileSync(file.path, path);
    await page.getByText(new RegExp(`${basename(file.path)} was saved: 3 stations, [\\d.]+ [kM]B\\.$`)).waitFor();
    expect(readFileSync(path).subarray(0, 2).toString()).toBe("PK");
  });

  it("opens the file as a read-only connection with its view, which cannot download or delete data", async () => {
    await openFile(path);
    await page.getByRole("button", { name: /^Connection: From Anna’s file, \d{4}-\d\d-\d\d/ }).waitFor();
    // One message says both.
    await page.getByText(/^“From Anna’s file, .*” with 1 view is open: read only/).waitFor();
    expect(await page.getByText(/” is shown\./).count()).toBe(0);
    await page.getByText("read only, simulated", { exact: true }).waitFor();
    await page.getByText("3 selected").waitFor();
    await allCached(page);
    await page.keyboard.press("[");
    await page.getByText(/^Read-only, from a file/).waitFor();
    // The shortcut of Fetch explains in every section why it is not available.
    const readOnlyNote = page.getByText("This connection comes from a file and is read-only.");
    await page.keyboard.press("f");
    await readOnlyNote.waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(await page.getByRole("button", { name: "Fetch options" }).count()).toBe(0);
    await openSection(page, "Storage");
    await page.keyboard.press("f");
    await page.getByText(/^These data come from a file/).waitFor();
    await page.getByRole("grid", { name: "Size by station" }).waitFor();
    expect(await page.getByRole("button", { name: /^Delete/ }).count()).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole("radio", { name: "Explore" }).click();
  });

  it("rejects a damaged file with a message", async () => {
    const half = join(shell.dataFolder, "half.zenith");
    const whole = readFileSync(path);
    writeFileSync(half, whole.subarray(0, whole.length / 2));
    const before = readdirSync(shell.dataFolder).filter((name) => name.startsWith("cache-")).length;
    await openFile(half);
    await page
      .getByText("half.zenith: This file is damaged or incomplete. Ask for it again; nothing was saved.")
      .waitFor();
    expect(readdirSync(shell.dataFolder).filter((name) => name.startsWith("cache-"))).toHaveLength(before);
    await page.getByRole("button", { name: "Close", exact: true }).last().click();
  });

  it("reports damage in an open cache, and rebuilds the cache from its intact data", async () => {
    await page.getByRole("button", { name: /^Connection:/ }).click();
    await page.getByRole("menuitem", { name: /^Demo simulated/ }).click();
    await page.getByRole("button", { name: "Connection: Demo" }).waitFor();
    await openSection(page, "Storage");
    shell.expectProblems();
    await compact();
    corrupt(cache());
    // Another program writes to the file, so that cached pages are read again.
    const other = new Database(cache());
    other.exec("INSERT INTO setting (name, value, checksum) VALUES ('other', 'program', 0)");
    other.close();
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.getByText(/The file itself is broken\. “Repair” keeps everything else\.$/).waitFor();
    await page.getByText(/^Part of this cache cannot be read\./).waitFor();
    await page.getByText(/^The cache of “Demo” is damaged: part of it cannot be read/).waitFor();
    await page.getByRole("button", { name: "Rebuild", exact: true }).click();
    // Depending on the day, these pages contain none, some or all of the rows.
    await page
      .getByText(/^(A new cache was created with [\d,]+ intact rows of|Nothing in) the damaged (one|file)/)
      .waitFor();
    await expect.poll(() => page.getByText(/is damaged: part of it/).count()).toBe(0);
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.getByText("Everything was read. No damage was found.").waitFor();
    shell.calm();
  });

  it("quarantines a cache damaged while it was closed, and reports what could be copied", async () => {
    shell.expectProblems();
    await compact();
    await page.goto("about:blank");
    corrupt(cache());
    const head = openSync(cache(), "r+");
    writeSync(head, Buffer.alloc(40, 0), 0, 40, 20);
    closeSync(head);
    await shell.killAndRestart();
    await page.getByText(/^The cache of “Demo” was damaged and was moved to quarantine as/).waitFor();
    const quarantined = readdirSync(shell.dataFolder).filter((name) => /^cache-demo\.db\.damaged-.*Z$/.test(name));
    expect(quarantined.length).toBeGreaterThan(0);
    await openSection(page, "Storage");
    await page.getByText(/^This cache could not be opened\. It was moved to quarantine as/).waitFor();
    await page.getByRole("button", { name: "Rebuild", exact: true }).click();
    // Without its header, the rest of the file cannot be read.
    await page.getByText(/^Nothing in the damaged file could be read\./).waitFor();
    shell.calm();
  });
});
