import { fork, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openStandin, sandboxMissing, type Standin, type StandinOptions, standinMissing } from "./driver.ts";

const main = join(import.meta.dirname, "fixture/main.mjs");
const missing = standinMissing();
let folder: string;
let standin: Standin;
let page: Page;

beforeEach((context) => context.skip(missing !== null, missing ?? ""));
beforeAll(async () => {
  if (missing !== null) return;
  folder = mkdtempSync(join(tmpdir(), "zenith-standin-"));
  standin = await openStandin({ main, dataFolder: folder });
  page = await standin.page();
});
afterAll(async () => {
  await standin?.quit();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

const notes = (): Promise<string[]> => page.evaluate("fixture.notes()");
const permission = (name: string): Promise<string> =>
  page.evaluate(`navigator.permissions.query({ name: "${name}" }).then((s) => s.state)`);

/** Polls an expression, because the policy of the page blocks waitForFunction of Playwright. */
async function becomesTrue(expression: string): Promise<void> {
  await expect.poll(() => page.evaluate(expression)).toBe(true);
}

async function connect(): Promise<void> {
  await page.evaluate("window.port = undefined; fixture.wantPort()");
  await becomesTrue("window.port !== undefined");
}

function roundTrip(message: string, inspect: string): Promise<unknown> {
  return page.evaluate(
    `new Promise((done) => { port.onmessage = ({ data }) => done((${inspect})(data)); port.postMessage(${message}); })`,
  );
}

describe("a page", () => {
  it("receives responses of the protocol handler, and its policy is enforced", async () => {
    const response = await page.evaluate(
      "fetch('/echo?a=1').then(async (r) => [await r.text(), r.headers.get('x-fixture')])",
    );
    expect(response).toEqual(["app://zenith/echo?a=1", "yes"]);
    expect(await page.evaluate("fetch('/none').then((r) => r.status)")).toBe(404);
    expect(await page.evaluate("[window.scriptRan, window.inlineRan]")).toEqual([true, undefined]);
    expect(await page.evaluate("fetch('http://127.0.0.1:9/').catch((e) => 'blocked')")).toBe("blocked");
  });

  it("can use only the exposed API of the preload", async () => {
    expect(await page.evaluate("window.seen")).toEqual(["undefined", "undefined", "undefined", "undefined"]);
    expect(await page.evaluate("[typeof secretOfPreload, Object.isFrozen(fixture)]")).toEqual(["undefined", true]);
    expect(
      await page.evaluate("(() => { try { 'use strict'; fixture = 1 } catch {} return typeof fixture.add })()"),
    ).toBe("function");
  });

  it("calls functions of the preload synchronously, with callbacks and promises", async () => {
    expect(await page.evaluate("fixture.add(2, 3)")).toBe(5);
    expect(await page.evaluate("fixture.platform")).toBe(process.platform);
    expect(await page.evaluate("new Promise((done) => { fixture.onGreeting(done); fixture.wantPort(); })")).toBe(
      "hello",
    );
    expect(await page.evaluate("fixture.fail().catch((e) => e.message)")).toContain("refused");
  });

  it("has a preload without Node", async () => {
    expect(await page.evaluate("fixture.refusals")).toEqual(["refused", "refused", "refused"]);
    expect(await page.evaluate("fixture.node")).toEqual(["undefined", "undefined", "undefined"]);
  });

  it("has its app address in the main process", async () => {
    expect(await page.evaluate("fixture.sender()")).toEqual(["app://zenith/", "app://zenith", true]);
  });

  it("cannot navigate, reload or open windows if the handlers prevent it", async () => {
    await page.evaluate("location.href = 'https://example.org/'");
    await expect.poll(notes).toContain("navigate https://example.org/");
    await page.evaluate("location.reload()");
    await expect.poll(notes).toContain("navigate app://zenith/");
    await page.click("#away");
    await page.evaluate("void window.open('https://example.org/popup')");
    await expect.poll(notes).toContain("open https://example.org/popup");
    await expect.poll(async () => (await standin.windows()).length).toBe(1);
    await expect.poll(() => page.context().pages().length).toBe(1);
    expect(page.url()).toBe("https://zenith.app.invalid/");
  });

  it("has only the permissions granted by the handlers", async () => {
    expect(await permission("geolocation")).toBe("denied");
    expect(await permission("notifications")).toBe("granted");
  });
});

describe("ports", () => {
  it("transmit typed arrays between the page and the utility process exactly", async () => {
    await connect();
    const inspect = `(m) => [m.a.constructor.name, [...new BigUint64Array(m.a.buffer)].map(String), [...m.b], m.c, m.d, m.e instanceof Date]`;
    const message = `{ a: new Float64Array([1.1, NaN, -0, Infinity]), b: new Uint8Array([0, 255]), c: undefined, d: NaN, e: new Date(5) }`;
    const bits = [...new BigUint64Array(new Float64Array([1.1, NaN, -0, Infinity]).buffer)].map(String);
    expect(await roundTrip(message, inspect)).toEqual(["Float64Array", bits, [0, 255], undefined, NaN, true]);
  });

  it("lose messages with transferred buffers, like Electron between processes", async () => {
    await connect();
    expect(await roundTrip("(window.sent = new Float64Array([1]))", "(m) => m[0]")).toBe(1);
    const lost = `new Promise((done) => { port.onmessage = ({ data }) => done(data); port.postMessage({ a: sent }, [sent.buffer]); })`;
    expect(await page.evaluate(lost)).toBeNull();
  });

  it("transmit megabytes", async () => {
    await connect();
    const message = "new Uint32Array(2 ** 19).map((_, i) => Math.imul(i, 2654435761))";
    const inspect = "(m) => m.length === 2 ** 19 && m.every((v, i) => v === Math.imul(i, 2654435761) >>> 0)";
    expect(await roundTrip(message, inspect)).toBe(true);
  });

  it("can be sent from a page to the main process", async () => {
    expect(await page.evaluate("fixture.givePort()")).toEqual({ back: "through" });
  });

  it("close when the utility process is killed, which emits an exit event", async () => {
    await connect();
    await page.evaluate(
      "window.portClosed = false; port.addEventListener('close', () => { window.portClosed = true; }); port.start()",
    );
    expect(await standin.killCore()).toBe(1);
    await becomesTrue("window.portClosed");
    await expect.poll(notes).toContain("child ended 9");
    await page.evaluate("fixture.restartChild()");
    await expect.poll(async () => (await notes()).filter((what) => what === "child says ready").length).toBe(2);
    await connect();
    expect(await roundTrip("7", "(m) => m")).toBe(7);
  });

  it("deliver messages posted during unloading in order, except after they were closed", async () => {
    await connect();
    await page.evaluate(`addEventListener("pagehide", () => {
      for (const text of ["first", "last"]) port.postMessage(text);
      port.close();
      port.postMessage("after the end");
    })`);
    await page.reload();
    await expect.poll(notes).toContain("child says last");
    await connect();
    expect(await roundTrip("6", "(m) => m")).toBe(6);
    const texts = ["first", "last", "after the end"].map((text) => `child says ${text}`);
    expect((await notes()).filter((what) => texts.includes(what))).toEqual(texts.slice(0, 2));
  });

  it("can be opened again by a new document", async () => {
    await page.reload();
    await becomesTrue("window.scriptRan === true");
    await connect();
    expect(await roundTrip("8", "(m) => m")).toBe(8);
  });
});

describe("the desktop", () => {
  it("runs menu items and emits suspend events", async () => {
    await standin.menu("note").click();
    await standin.suspend();
    await expect.poll(notes).toEqual(expect.arrayContaining(["menu", "suspend"]));
  });

  it("reports the state and preferences of a window", async () => {
    const [window] = await standin.control.windows();
    expect(window).toMatchObject({ url: "app://zenith/", isVisible: true, isFocused: true });
    expect(await standin.webPreferences()).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
    });
    expect(await page.evaluate("[innerWidth, innerHeight]")).toEqual([900, 640]);
  });

  it("allows one program per profile", async () => {
    const second = openSecond();
    expect(await second).toBe(3);
    await expect.poll(notes).toContainEqual(expect.stringMatching(/^second /));
  });

  it("emits an event for a crashed page, which can be reloaded", async () => {
    const [window] = await standin.control.windows();
    await standin.control.crashPage(window?.id ?? 0);
    await expect.poll(() => standin.logs()).toBe("gone: crashed\nback\n");
  });

  it("exits with its last window", async () => {
    const [window] = await standin.control.windows();
    await standin.control.closeWindow(window?.id ?? 0);
    expect(await standin.ended).toBe(0);
  });
});

it("the program ends with the message bus of its session", async () => {
  const bus = join(folder, "bus");
  const clients: Socket[] = [];
  const server = createServer((client) => void clients.push(client)).listen(bus);
  const other = mkdtempSync(join(tmpdir(), "zenith-standin-"));
  const own = await openStandin({ main, dataFolder: other, env: { DBUS_SESSION_BUS_ADDRESS: `unix:path=${bus}` } });
  await own.page();
  for (const client of clients) client.destroy();
  expect(await own.ended).toBe(133);
  server.close();
  rmSync(other, { recursive: true, force: true });
});

/** The fixture with other settings, in a folder of its own. */
async function withFixture<T>(
  options: Partial<StandinOptions>,
  use: (own: Standin, folder: string) => Promise<T>,
): Promise<T> {
  const other = mkdtempSync(join(tmpdir(), "zenith-standin-"));
  const own = await openStandin({ main, dataFolder: other, ...options });
  try {
    return await use(own, other);
  } finally {
    await own.kill();
    rmSync(other, { recursive: true, force: true });
  }
}

describe("the scheme of the page", () => {
  const READ = `(url) => fetch(url).then((r) => r.text(), () => "refused")`;
  const read = (own: Page, url: string): Promise<unknown> => own.evaluate(`(${READ})("${url}")`);

  it.each([
    ["supportFetchAPI", ["app://zenith/echo", "refused"]],
    ["supportFetchAPI corsEnabled", ["app://zenith/echo", "open"]],
    ["codeCache", ["refused", "refused"]],
  ])("has the privileges %s and no others", async (declared, answers) => {
    await withFixture({ env: { FIXTURE_PRIVILEGES: declared } }, async (own) => {
      const ownPage = await own.page();
      const other = "https://other.app.invalid/open";
      expect([await read(ownPage, "/echo"), await read(ownPage, other)]).toEqual(answers);
      // Neither files nor workers that outlive the page.
      expect(await read(ownPage, "file:///etc/hosts")).toBe("refused");
      const worker = `navigator.serviceWorker.register("/page.js").then(() => "registered", () => "refused")`;
      expect(await ownPage.evaluate(worker)).toBe("refused");
    });
  });
});

describe("renderers", () => {
  const none = sandboxMissing();
  beforeEach((context) => context.skip(none !== null, none ?? ""));

  it("have a sandbox if the program wants one and the system gives it", async () => {
    await withFixture({ sandbox: "namespaces" }, async (own, dataFolder) => {
      const ownPage = await own.page();
      expect(await ownPage.evaluate("fixture.add(2, 3)")).toBe(5);
      const { browser, renderer } = processesOf(dataFolder);
      // A filter of system calls, and other namespaces than the browser's.
      expect(readFileSync(`/proc/${renderer}/status`, "utf8")).toMatch(/^Seccomp:\t2$/m);
      for (const kind of ["user", "pid", "net"])
        expect(readlinkSync(`/proc/${renderer}/ns/${kind}`)).not.toBe(readlinkSync(`/proc/${browser}/ns/${kind}`));
    });
  });

  it("end the program if it wants a sandbox that the system refuses", async () => {
    await expect(withFixture({ sandbox: "refused" }, (own) => own.page())).rejects.toThrow(/No usable sandbox/);
  });
});

/** The ids of the browser over this folder, and of a renderer that it started. */
function processesOf(dataFolder: string): { readonly browser: string; readonly renderer: string } {
  const { stdout } = spawnSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" });
  const all = [...stdout.matchAll(/^ *(\d+) +(\d+) (.*)$/gm)].map(([, id = "", parent = "", args = ""]) => ({
    id,
    parent,
    args,
  }));
  const [browser = ""] = all
    .filter(({ args }) => args.includes(`--user-data-dir=${dataFolder}`) && !args.includes("--type="))
    .map(({ id }) => id);
  const started = new Set([browser]);
  // A process may be listed before its parent.
  for (const _ of all) for (const { id, parent } of all) if (started.has(parent)) started.add(id);
  const { id: renderer = "" } = all.find(({ id, args }) => started.has(id) && args.includes("--type=renderer")) ?? {};
  return { browser, renderer };
}

/** @returns the exit code of the same program, started again over the same folder */
function openSecond(): Promise<number | null> {
  const register = new URL("./register.ts", import.meta.url).href;
  const child = fork(main, [], {
    execArgv: ["--import", register],
    env: { ...process.env, ZENITH_HOME: folder, ELECTRON_STANDIN: "{}" },
    stdio: "ignore",
  });
  return new Promise((resolve) => child.once("exit", resolve));
}
