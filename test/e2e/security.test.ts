import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { SOON } from "./harness/soon.ts";
import { forEachShell } from "./harness/forEachShell.ts";

/** Runs an expression with the page's own rights; where it throws, that is the answer. */
function tried(page: Page, expression: string): Promise<unknown> {
  return page.evaluate(
    `(async () => { try { return await (${expression}) } catch (e) { return "threw " + e.name } })()`,
  );
}

forEachShell("walls around the page", {}, (shell) => {
  it("has a page without Node", async () => {
    const { page } = shell();
    const demo = page.getByRole("button", { name: "Explore the demo" });
    // Signed in: a link opens the page once, and a page that goes before the answer to it has come is not.
    await demo.waitFor();
    // Once more, with all that it says of its policy from the first script on.
    await page.reload();
    await demo.waitFor();
    for (const name of ["require", "process", "module", "Buffer", "global", "electron", "ipcRenderer"])
      expect([name, await tried(page, `typeof ${name}`)]).toEqual([name, "undefined"]);
  });

  it("makes its windows so that they may do nothing", async (context) => {
    const preferences = await shell().webPreferences();
    if (preferences === null) return context.skip("the window is a browser's own");
    const { webSecurity, ...others } = preferences;
    expect(others).toMatchObject({ contextIsolation: true, sandbox: true, nodeIntegration: false });
    expect(webSecurity).not.toBe(false);
    for (const opened of [
      "webviewTag",
      "allowRunningInsecureContent",
      "experimentalFeatures",
      "nodeIntegrationInWorker",
    ])
      expect([opened, Boolean(others[opened])]).toEqual([opened, false]);
  });

  it("has a strict policy", async () => {
    const policy = await tried(shell().page, `fetch("/").then((r) => r.headers.get("content-security-policy"))`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/unsafe-(inline|eval)|\*/);
  });

  it("keeps to the policy: nothing from elsewhere, no frame, no inline code, no evaluated text", async () => {
    const { page } = shell();
    shell().expectProblems();
    await page.evaluate(`{
      window.refused = [];
      document.addEventListener("securitypolicyviolation", (e) => window.refused.push(e.effectiveDirective + " " + e.blockedURI));
      const added = (tag, change) => document.body.appendChild(Object.assign(document.createElement(tag), change));
      added("img", { src: "https://example.org/x.png" }).remove();
      added("iframe", { src: "https://example.org/" }).remove();
    }`);
    expect(await tried(page, `fetch("https://example.org/")`)).toBe("threw TypeError");
    const inline = [
      `document.createElement("script").textContent = "window.inlineRan = true"`,
      `document.body.setAttribute("onclick", "window.inlineRan = true")`,
      `setTimeout("window.inlineRan = true")`,
    ];
    const answers = await Promise.all(inline.map((expression) => tried(page, expression)));
    expect(answers).toEqual(inline.map(() => "threw TypeError"));
    // A text node makes a script without any assignment that could be refused.
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
    shell().calm();
  });

  it("takes no text for HTML or the address of a script, and nobody adds a policy that would", async () => {
    const { page } = shell();
    shell().expectProblems();
    const refused = [
      `document.createElement("i").innerHTML = "<b>bold</b>"`,
      `document.body.insertAdjacentHTML("beforeend", "<img src=x onerror=alert(1)>")`,
      `document.createElement("iframe").srcdoc = "&lt;b>"`,
      `new DOMParser().parseFromString("<b>", "text/html")`,
      `document.createElement("script").src = "/assets/other.js"`,
      `trustedTypes.createPolicy("other", { createHTML: (text) => text })`,
      `trustedTypes.createPolicy("default", { createHTML: (text) => text })`,
    ];
    const answers = await Promise.all(refused.map((expression) => tried(page, expression)));
    expect(answers).toEqual(refused.map(() => "threw TypeError"));
    shell().calm();
    // What libraries assign holds no markup.
    const decoded = `((e) => { e.innerHTML = ""; e.innerHTML = "&auml;"; return e.textContent })(document.createElement("i"))`;
    expect(await tried(page, decoded)).toBe("ä");
  });

  it("goes nowhere and opens nothing", async (context) => {
    const { page, kind } = shell();
    if (kind === "web") return context.skip("where a browser goes is for its user to say");
    const pages = shell().context.pages().length;
    const { href } = new URL(page.url());
    shell().expectProblems();
    await page.evaluate("location.href = 'https://example.org/'");
    await page.evaluate("void window.open('https://example.org/popup')");
    // Going there would have taken a round through the main process; so does this.
    await page.reload();
    await page.getByRole("button", { name: "Explore the demo" }).waitFor();
    expect(page.url()).toBe(href);
    expect(shell().context.pages()).toHaveLength(pages);
    shell().calm();
  });

  it("opens an address outside where the shell can, else says it", async () => {
    const { page, kind } = shell();
    await page.keyboard.press("F1");
    const guide = page.getByRole("dialog", { name: "User guide" });
    const contents = guide.getByRole("navigation", { name: "Pages of the guide" });
    await contents.getByRole("link", { name: "Export", exact: true }).click();
    const link = guide.getByRole("link", { name: "CF-1.8" });
    const said = guide.getByText("(https://cfconventions.org/)");
    await link.or(said).first().waitFor();
    expect([await link.count(), await said.count()]).toEqual(kind === "web" ? [0, 1] : [1, 0]);
    await page.keyboard.press("F1");
    await guide.waitFor({ state: "detached" });
  });

  it("grants the page nothing of the computer", async () => {
    for (const name of ["geolocation", "camera", "microphone"]) {
      const state = await tried(shell().page, `navigator.permissions.query({ name: "${name}" }).then((s) => s.state)`);
      expect([name, state]).not.toEqual([name, "granted"]);
    }
  });
});
