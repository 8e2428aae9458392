import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { answerCall, ShellCaller, type ShellCalls } from "#main/electron/messages.ts";
import { servePage } from "#main/electron/servePage.ts";
import { openShellState } from "#main/electron/shellState.ts";
import { SecretError } from "#main/secrets.ts";
import { scratchFolder } from "../support/folder.ts";

const folder = scratchFolder();
beforeAll(() => {
  mkdirSync(join(folder, "renderer", "assets"), { recursive: true });
  writeFileSync(join(folder, "renderer", "index.html"), "<!doctype html>");
  writeFileSync(join(folder, "main.js"), "secret");
});

function serve(address: string, method = "GET"): Promise<Response> {
  return servePage(join(folder, "renderer"), new Request(address, { method }));
}

/** Connects a caller to its handlers, with copied messages. */
function connectedCaller(calls: Partial<ShellCalls>) {
  const caller = new ShellCaller((message) => {
    if (message.kind !== "ask") return;
    const handled = answerCall(calls as ShellCalls, structuredClone(message));
    void handled.then((response) => caller.answered(response));
  });
  return caller;
}

describe("the app scheme", () => {
  it("serves the page under its strict policy", async () => {
    const response = await serve("app://zenith/index.html");
    expect(response.status).toBe(200);
    expect(await response.text()).toBe("<!doctype html>");
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  });

  it.each([
    ["app://elsewhere/index.html", "GET", 404],
    ["app://zenith/../main.js", "GET", 404],
    ["app://zenith/%2e%2e/main.js", "GET", 404],
    ["app://zenith/..%2fmain.js", "GET", 404],
    ["app://zenith/absent.js", "GET", 404],
    ["app://zenith/assets", "GET", 404],
    ["app://zenith/index.html", "POST", 405],
    ["app://zenith/index.html", "HEAD", 200],
  ])("responds to %s %s with %i and without secret content", async (address, method, status) => {
    const response = await serve(address, method);
    expect(response.status).toBe(status);
    expect(await response.text()).not.toMatch(/secret|doctype/);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  });
});

describe("the stored state of the shell", () => {
  it("is restored", () => {
    const path = join(folder, "window.json");
    const bounds = { x: -5, y: 10, width: 900, height: 700 };
    openShellState(path).change({ bounds, maximized: true });
    openShellState(path).change({ theme: "dark" });
    expect(openShellState(path).current).toEqual({ bounds, maximized: true, theme: "dark" });
  });

  it.each(["", "{", "null", "[]", '{"bounds":{"x":1e300,"y":0,"width":-1,"height":null},"maximized":"yes","theme":4}'])(
    "has default values if the file contains %j",
    (content) => {
      const path = join(folder, "broken.json");
      writeFileSync(path, content);
      expect(openShellState(path).current).toEqual({ bounds: null, maximized: false, theme: "system" });
      expect(readFileSync(path, "utf8")).toBe(content);
    },
  );
});

describe("calls of the core to the main process", () => {
  it("receive their own results", async () => {
    const { ask } = connectedCaller({ proxyFor: async (origin) => `http://${origin}/`, readKey: async () => null });
    const answers = await Promise.all([ask("proxyFor", "a"), ask("readKey", "c"), ask("proxyFor", "b")]);
    expect(answers).toEqual(["http://a/", null, "http://b/"]);
  });

  it("fail with the error of the other side, which keeps its kind for keys", async () => {
    const { ask } = connectedCaller({
      openExternal: () => Promise.reject(new Error("Not this one.")),
      readKey: () => Promise.reject(new SecretError("Unlock it.")),
    });
    await expect(ask("openExternal", "x")).rejects.toThrow("Not this one.");
    await expect(ask("readKey", "c")).rejects.toBeInstanceOf(SecretError);
    await expect(ask("newWindow")).rejects.toThrow("There is no call");
  });
});
