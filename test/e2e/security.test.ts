import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { SOON } from "./harness/soon.ts";
import { forEachShell } from "./harness/forEachShell.ts";

/** Evaluates an expression in the page; returns its value, or "threw" with the name of the error. */
function evaluated(page: Page, expression: string): Promise<unknown> {
  return page.evaluate(
    `(async () => { try { return await (${expression}) } catch (e) { return "threw " + e.name } })()`,
  );
}

forEachShell("page security", {}, (page, shell) => {
  it("exposes no Node globals to the page", async () => {
    const demo = page.getByRole("button", { name: "Explore the demo" });
    // Wait for the sign-in: the link works once, and leaving the page earlier would cancel it.
    await demo.waitFor();
    // Reload to record policy violations from the first script on.
    await page.reload();
    await demo.waitFor();
    for (const name of ["require", "process", "module", "Buffer", "global", "electron", "ipcRenderer"])
      expect([name, await evaluated(page, `typeof ${name}`)]).toEqual([name, "undefined"]);
  });

  it("creates Electron windows with restrictive web preferences", async (context) => {
    const preferences = await shell.webPreferences();
    if (preferences === null) return context.skip("the window is a browser's own");
    const { webSecurity, ...others } = preferences;
    expect(others).toMatchObject({ contextIsolation: true, sandbox: true, nodeIntegration: false });
    expect(webSecurity).not.toBe(false);
    for (const option of [
      "webviewTag",
      "allowRunningInsecureContent",
      "experimentalFeatures",
      "nodeIntegrationInWorker",
    ])
      expect([option, Boolean(others[option])]).toEqual([option, false]);
  });

  it("has a strict content security policy", async () => {
    const policy = await evaluated(page, `fetch("/").then((r) => r.headers.get("content-security-policy"))`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/unsafe-(inline|eval)|\*/);
  });

  it("blocks external resources, frames, inline code and evaluated strings", async () => {
    shell.expectProblems();
    await page.evaluate(`{
      window.refused = [];
      document.addEventListener("securitypolicyviolation", (e) => window.refused.push(e.effectiveDirective + " " + e.blockedURI));
      const added = (tag, change) => document.body.appendChild(Object.assign(document.createElement(tag), change));
      added("img", { src: "https://example.org/x.png" }).remove();
      added("iframe", { src: "https://example.org/" }).remove();
    }`);
    expect(await evaluated(page, `fetch("https://example.org/")`)).toBe("threw TypeError");
    const inline = [
      `document.createElement("script").textContent = "window.inlineRan = true"`,
      `document.body.setAttribute("onclick", "window.inlineRan = true")`,
      `setTimeout("window.inlineRan = true")`,
    ];
    const results = await Promise.all(inline.map((expression) => evaluated(page, expression)));
    expect(results).toEqual(inline.map(() => "threw TypeError"));
    // A text node in a script needs no assignment that could be refused.
    await page.evaluate(`{
      const script = document.createElement("script");
      script.append("window.inlineRan = true");
      document.body.append(script);
      script.remove();
    }`);
    const refused = () => page.evaluate<string[]>("window.refused");
    await expect
      .poll(refused, SOON)
      .toEqual(
        expect.arrayContaining([
          "require-trusted-types-for trusted-types-sink",
          expect.stringMatching(/^img-src https:\/\/example.org/),
          expect.stringMatching(/^frame-src https:\/\/example.org/),
          expect.stringMatching(/^connect-src https:\/\/example.org/),
        ]),
      );
    expect(await page.evaluate("typeof window.inlineRan")).toBe("undefined");
    shell.calm();
  });

  it("accepts no strings as HTML or script addresses, and no other trusted types policies", async () => {
    shell.expectProblems();
    const refused = [
      `document.createElement("i").innerHTML = "<b>bold</b>"`,
      `document.body.insertAdjacentHTML("beforeend", "<img src=x onerror=alert(1)>")`,
      `document.createElement("iframe").srcdoc = "&lt;b>"`,
      `new DOMParser().parseFromString("<b>", "text/html")`,
      `document.createElement("script").src = "/assets/other.js"`,
      `trustedTypes.createPolicy("other", { createHTML: (text) => text })`,
      `trustedTypes.createPolicy("default", { createHTML: (text) => text })`,
    ];
    const results = await Promise.all(refused.map((expression) => evaluated(page, expression)));
    expect(results).toEqual(refused.map(() => "threw TypeError"));
    shell.calm();
    // Libraries assign only text without markup.
    const decoded = `((e) => { e.innerHTML = ""; e.innerHTML = "&auml;"; return e.textContent })(document.createElement("i"))`;
    expect(await evaluated(page, decoded)).toBe("ä");
  });

  it("blocks navigation and new windows of the desktop page", async (context) => {
    const { kind } = shell;
    if (kind === "web") return context.skip("a browser may navigate anywhere");
    const pages = shell.context.pages().length;
    const { href } = new URL(page.url());
    shell.expectProblems();
    // Chromium asks the stand-in with a request; Electron asks before there is one. Its end would end the reload below.
    const ended = kind === "standin" ? page.waitForEvent("requestfailed", (r) => r.isNavigationRequest()) : null;
    await page.evaluate("location.href = 'https://example.org/'");
    await ended;
    await page.evaluate("void window.open('https://example.org/popup')");
    // A reload passes through the main process, as the navigation would have.
    await page.reload();
    await page.getByRole("button", { name: "Explore the demo" }).waitFor();
    expect(page.url()).toBe(href);
    expect(shell.context.pages()).toHaveLength(pages);
    shell.calm();
  });

  it("links to an external address if the shell can open it, otherwise shows the address", async () => {
    const { kind } = shell;
    await page.keyboard.press("F1");
    const guide = page.getByRole("dialog", { name: "User guide" });
    const contents = guide.getByRole("navigation", { name: "Pages of the guide" });
    await contents.getByRole("link", { name: "Export", exact: true }).click();
    const link = guide.getByRole("link", { name: "CF-1.8" });
    const address = guide.getByText("(https://cfconventions.org/)");
    await link.or(address).first().waitFor();
    expect([await link.count(), await address.count()]).toEqual(kind === "web" ? [0, 1] : [1, 0]);
    await page.keyboard.press("F1");
    await guide.waitFor({ state: "detached" });
  });

  it("grants the page no access to location, camera or microphone", async () => {
    for (const name of ["geolocation", "camera", "microphone"]) {
      const state = await evaluated(page, `navigator.permissions.query({ name: "${name}" }).then((s) => s.state)`);
      expect([name, state]).not.toEqual([name, "granted"]);
    }
  });
});
