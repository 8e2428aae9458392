import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CDPSession } from "playwright-core";
import { expect, it } from "vitest";
import { forEachShell } from "../e2e/harness/forEachShell.ts";

/** Chooses a file in the browser's dialog, after a garbage collection while the dialog is open. */
async function chooseAfterCollection(session: CDPSession, path: string, act: () => Promise<void>): Promise<void> {
  const dialog = new Promise<number>((resolve) => {
    session.once("Page.fileChooserOpened", ({ backendNodeId }) => resolve(backendNodeId!));
  });
  await act();
  const backendNodeId = await dialog;
  await session.send("HeapProfiler.collectGarbage");
  await session.send("DOM.setFileInputFiles", { files: [path], backendNodeId });
}

forEachShell("the browser's file dialog", { shells: 1 }, (page, shell) => {
  it("opens the chosen file after a garbage collection while the dialog is open", async () => {
    const { context, dataFolder } = shell;
    const session = await context.newCDPSession(page);
    await session.send("Page.enable");
    await session.send("Page.setInterceptFileChooserDialog", { enabled: true });
    const table = join(dataFolder, "table.csv");
    writeFileSync(
      table,
      "station_id,time,ztd_mm\nKIRK,2026-10-01T00:00:00Z,2400.1\nKIRK,2026-10-01T00:05:00Z,2400.2\n",
    );
    const open = page.getByRole("button", { name: "Open a file…" });
    await chooseAfterCollection(session, table, () => open.click());
    await expect.poll(() => page.getByRole("button", { name: "Close table.csv" }).count()).toBe(1);
  });
});
