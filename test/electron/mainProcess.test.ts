import { expect, it } from "vitest";
import { startService } from "#service/index.ts";
import { readLog } from "#main/log/index.ts";
import type { Standin } from "../electron-standin/driver.ts";
import { KEY } from "../support/desk.ts";
import { callCore, connectToCore } from "./coreCalls.ts";
import { standinForEachTest } from "./starts.ts";

// What Electron leaves to the program, or does by itself if the program does not: menus of text fields, errors of the main
// process, a locked secret store.

const starts = standinForEachTest();
const { start } = starts;

const dialogsOf = async (standin: Standin): Promise<unknown[]> =>
  (await standin.control.shownDialogs()).map(({ options }) => options);

it("text fields have a menu, Undo of the menu undoes typing, and unexpected errors are logged and shown calmly", async () => {
  const { standin, page } = await start();
  await page.getByRole("button", { name: "Connect" }).first().click();
  const key = page.getByLabel("API key");
  await standin.control.setClipboard("key-from-a-mail");
  await key.click();
  await key.click({ button: "right" });
  await expect.poll(standin.control.contextMenu).toEqual(["(undo)", "(redo)", "(cut)", "(copy)", "paste", "selectAll"]);
  await standin.control.clickContextMenu("paste");
  await expect.poll(() => key.inputValue()).toBe("key-from-a-mail");

  await page.getByRole("button", { name: "Explore the demo" }).click();
  await page.getByText("Kirkkolahti").first().click();
  const chosen = (): Promise<number> => page.getByRole("row", { selected: true }).count();
  const before = await chosen();
  const search = page.getByRole("searchbox").first();
  await search.click();
  await page.keyboard.type("abc");
  await standin.menu("command:undo").click();
  await expect.poll(() => search.inputValue()).toBe("ab");
  await search.fill("");
  await expect.poll(chosen).toBe(before);

  // The window continues after each of them.
  for (const [failures, fail] of (["failMain", "rejectMain"] as const).entries()) {
    await standin.control[fail]();
    const shown = { message: "Something went wrong in Zenith Desk", buttons: ["Continue", "Restart"] };
    await expect.poll(() => dialogsOf(standin)).toMatchObject(Array.from({ length: failures + 1 }, () => shown));
    await search.fill(fail);
    await expect.poll(() => search.inputValue()).toBe(fail);
  }
  const logged = readLog(starts.folder, "error").map(({ text }) => text);
  for (const failure of ["error", "rejection"])
    expect(logged).toContainEqual(
      expect.stringMatching(new RegExp(`error in the window's process.*${failure} of the test`, "s")),
    );
  expect(await standin.quit()).toBe(0);
});

it("a locked secret store is asked once, and a restart is offered", async () => {
  const service = await startService({ organizations: [{ key: KEY, name: "test", owner: "aurora" }] });
  try {
    const first = await start();
    await connectToCore(first.page);
    const connection = { name: "A", baseUrl: service.url, apiKey: KEY, remember: true };
    const added = (await callCore(first.page, "connections.add", connection)) as { value: { id: string } };
    await first.standin.quit();
    const standin = await starts.open({ keyStore: "locked" });
    const askForKey = async (): Promise<void> => {
      const page = await standin.page();
      await connectToCore(page);
      const { id: connectionId } = added.value;
      const calls = ["connections.open", "catalogue.refresh", "connections.probe"];
      await Promise.all(calls.map((call) => callCore(page, call, { connectionId })));
    };
    // The window may ask for the key before, and the restart ends these calls.
    void askForKey().catch(() => null);
    // The stand-in chooses the first button.
    expect(await standin.ended).toBe(0);
    expect(standin.logs().match(/The secret store of this system is locked/g)).toHaveLength(1);
    expect(standin.logs()).toContain("Relaunches with");
  } finally {
    await service.close();
  }
});
