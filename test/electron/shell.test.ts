import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { readLog } from "#main/log/index.ts";
import { sandboxMissing, type Standin } from "../electron-standin/driver.ts";
import { desktopMain } from "../support/desktopProgram.ts";
import { standinForEachTest } from "./starts.ts";

// The built bundles under the stand-in: behaviour of the shell that involves several parts.

const starts = standinForEachTest();
const { start } = starts;

/** Records in the page the reasons of new connections to the core, and policy violations. */
async function recordReasons(page: Page): Promise<void> {
  await page.evaluate(`{
    window.reasons = [];
    window.violations = [];
    addEventListener("message", ({ data }) => data.kind === "zenith:port" && data.reason !== null && window.reasons.push(data.reason));
    document.addEventListener("securitypolicyviolation", (e) => window.violations.push(e.effectiveDirective + e.blockedURI));
  }`);
}

/** The first core has opened: the page shows what it answers. A core that stops earlier is another case. */
async function waitForOpenCore(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Explore the demo" }).waitFor();
}

/** Records the number of arguments of each message that the page posts, and the bytes of received arrays. */
const WATCH_PORTS = `{
  window.sent = [];
  window.arrivedBytes = 0;
  const { postMessage, addEventListener } = MessagePort.prototype;
  const note = (value) => {
    if (ArrayBuffer.isView(value)) arrivedBytes += value.byteLength;
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(note);
  };
  MessagePort.prototype.postMessage = function (...args) {
    sent.push(args.length);
    return postMessage.apply(this, args);
  };
  MessagePort.prototype.addEventListener = function (type, listener) {
    if (type === "message") addEventListener.call(this, type, ({ data }) => note(data));
    return addEventListener.call(this, type, listener);
  };
}`;

async function waitForCore(standin: Standin): Promise<void> {
  await expect.poll(() => standin.control.utilityPids(), { timeout: 15_000 }).toHaveLength(1);
}

describe("the shell", () => {
  it("restarts a crashed core and sends the reason to the page, and after repeated crashes shows a dialog", async () => {
    const { standin, page } = await start();
    await recordReasons(page);
    await waitForOpenCore(page);
    const dialogs = async (): Promise<number> => (await standin.control.shownDialogs()).length;
    const crash = async (stops: number): Promise<void> => {
      await standin.control.crashUtilities();
      await expect.poll(() => page.evaluate("reasons.length"), { timeout: 20_000 }).toBe(stops);
    };
    await crash(1);
    expect(await page.evaluate("reasons[0]")).toMatch(/core stopped .*started again/);
    // V8 first emits an error event, which would end a program without a listener.
    await waitForCore(standin);
    await standin.control.failUtilities();
    await expect.poll(() => page.evaluate("reasons")).toHaveLength(2);
    expect(await page.evaluate("reasons[1]")).toContain("FatalError at v8::ToLocalChecked");
    const logged = readLog(starts.folder, "info").map(({ source, text }) => `${source.replace(/\[\d+\]/, "")} ${text}`);
    expect(logged).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^window Zenith Desk .* starts \(Electron /),
        expect.stringMatching(/^core Zenith Desk .* opens /),
        expect.stringMatching(/^window The application's core stopped \(FatalError at v8::ToLocalChecked\)/),
      ]),
    );
    await crash(3);
    await crash(4);
    expect(await dialogs()).toBe(0);
    await standin.control.crashUtilities();
    await expect.poll(dialogs).toBe(1);
    // The stand-in chooses the first button: start again.
    await expect.poll(() => page.evaluate("reasons.length")).toBe(5);
    expect(await page.evaluate("reasons.at(-1)")).toBe("The application's core was started again.");
    expect(await page.evaluate("violations")).toEqual([]);
    expect(await standin.quit()).toBe(0);
  }, 60_000);

  it("allows the page to reload, starts the demo, and reloads an unresponsive page", async () => {
    const { standin, page } = await start();
    const isMarked = (): Promise<unknown> => page.evaluate("window.mark === 1").catch(() => null);
    await page.evaluate("window.mark = 1; setTimeout(() => { throw new Error('odd') })");
    await page.addInitScript(WATCH_PORTS);
    await page.getByRole("button", { name: "Reload" }).click();
    await expect.poll(isMarked).toBe(false);
    // The demo runs in a thread with a bundle of its own.
    await page.getByRole("button", { name: "Explore the demo" }).click();
    await page.getByText("Kirkkolahti").first().waitFor();
    expect(standin.logs()).toBe("");
    // Arrays arrive, and the page transfers no buffers. conformance.test.ts tests the values over the same ports.
    await expect.poll(() => page.evaluate("arrivedBytes")).toBeGreaterThan(0);
    expect(await page.evaluate("sent.filter((count) => count !== 1)")).toEqual([]);
    expect(await page.evaluate("sent.length")).toBeGreaterThan(5);
    await page.evaluate("window.mark = 1");
    const [window] = await standin.control.windows();
    await standin.control.setMessageBox(1);
    await standin.control.freezeWindow(window?.id ?? 0);
    await expect.poll(async () => (await standin.windows()).length).toBe(1);
    await expect.poll(() => standin.control.runInPage(window?.id ?? 0, "window.mark === 1")).toBe(false);
    // Killing the page on purpose does not show another dialog.
    expect((await standin.control.shownDialogs()).map(({ options }) => options)).toMatchObject([
      { message: "This window does not respond" },
    ]);
  });

  it("restores the bounds of its window", async () => {
    const isPossible = sandboxMissing() === null;
    const first = await start({ sandbox: isPossible ? "namespaces" : "none" });
    expect(await first.standin.control.isSandboxed()).toBe(true);
    const [window] = await first.standin.control.windows();
    const bounds = { x: 60, y: 70, width: 900, height: 640 };
    await first.standin.control.setBounds(window?.id ?? 0, bounds);
    await first.standin.control.maximizeWindow(window?.id ?? 0);
    expect(await first.standin.quit()).toBe(0);
    // With another option for the folder, without readiness of the window, and like an AppImage on a system without a
    // sandbox.
    const args = ["--no-sandbox", "--data-folder", starts.folder];
    const sandbox = isPossible ? "refused" : "none";
    const { standin } = await start({
      dataFolder: join(starts.folder, "elsewhere"),
      args,
      sandbox,
      readyToShow: "never",
    });
    const shown = async () => (await standin.control.windows())[0];
    await expect.poll(async () => (await shown())?.isVisible).toBe(true);
    expect(await shown()).toMatchObject({ bounds, isMaximized: true });
    expect(standin.logs()).toContain("runs without one");
    expect(await standin.control.isSandboxed()).toBe(false);
  });

  it("exits with an error if it cannot start", async () => {
    const file = join(starts.folder, "file");
    writeFileSync(file, "");
    await expect(start({ args: [`--data-folder=${file}`] })).rejects.toThrow(/cannot start: .*ENOTDIR.*--data-folder/s);
  });

  it("shows a window whose page never loads, but not during the exit, after which it relaunches for a start meanwhile", async () => {
    const standin = await starts.open({ readyToShow: "stuck" });
    const window = async () => (await standin.control.windows().catch(() => []))[0];
    await expect.poll(async () => (await window())?.isVisible).toBe(true);
    await waitForCore(standin);
    const [core = 0] = await standin.control.utilityPids();
    process.kill(core, "SIGSTOP");
    await standin.control.quit();
    const file = join(starts.folder, "series.nc");
    writeFileSync(file, "");
    await expect(starts.open({ args: [file] })).rejects.toThrow("ended");
    await expect.poll(async () => (await window())?.isVisible).toBe(false);
    await standin.control.becomeReady((await window())!.id);
    expect((await window())?.isVisible).toBe(false);
    process.kill(core, "SIGCONT");
    expect(await standin.ended).toBe(0);
    expect(standin.logs()).toBe(`Relaunches with ${JSON.stringify({ args: [await desktopMain(), file] })}\n`);
  });
});
