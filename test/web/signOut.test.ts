import { once } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { SIGNED_OUT_CODE } from "#shared/bridge/transport/webShell.ts";
import { requestLink, requestSignOut } from "#main/web/control.ts";
import { type TestShell } from "./shell.ts";
import { pageBridge, webShell } from "./page.ts";

describe("signing out everywhere", () => {
  let test: TestShell;
  const dataFolder = (): string => join(test.folder, "data");
  beforeEach(async () => {
    test = await webShell();
  });

  it("closes all windows and revokes every secret, link and ticket, but not later links", async () => {
    const [one, other, token] = [await test.secret(), await test.secret(), test.newToken()];
    const windows = [await test.socket(one), await test.socket(other)];
    const ticket = (await test.call("ticket", one, "?path=%2Fdownload%2F1%2Fx.csv")).body.trim();
    const closed = Promise.all(windows.map((window) => once(window, "close")));
    expect(await test.call("sign-out", one)).toMatchObject({ status: 204 });
    expect((await closed).map(([code]: unknown[]) => code)).toEqual([SIGNED_OUT_CODE, SIGNED_OUT_CODE]);
    for (const secret of [one, other]) {
      expect(await test.call("check", secret)).toMatchObject({ status: 401 });
      await expect(test.socket(secret)).rejects.toThrow("403");
    }
    expect(await test.call("sign-in", token)).toMatchObject({ status: 401 });
    expect(await test.request(ticket)).toMatchObject({ status: 403 });
    expect(await test.call("check", await test.secret())).toMatchObject({ status: 204 });
  });

  it("stops the page from reconnecting, whether it is connected or not", async () => {
    const secret = await test.secret();
    const page = (): Promise<string[]> =>
      new Promise((resolve) => {
        const states: string[] = [];
        pageBridge(test, secret, {
          isRefused: async () => (await test.call("check", secret)).status === 401,
          onState({ kind }) {
            states.push(kind);
            if (kind === "open") void test.call("sign-out", secret);
            if (kind === "signedOut") resolve(states);
          },
        });
      });
    expect(await page()).toEqual(["open", "lost", "signedOut"]);
    expect(await page()).toEqual(["lost", "signedOut"]);
  });

  it("can be requested from the command line of the same user, as can a link", async () => {
    expect(statSync(join(dataFolder(), "web.json")).mode & 0o777).toBe(0o600);
    const running = await requestLink(dataFolder());
    expect(running?.url).toBe(test.shell.origin);
    const secret = (await test.call("sign-in", running?.link.split("#link=")[1] ?? "")).body.trim();
    expect(await test.call("check", secret)).toMatchObject({ status: 204 });
    expect(await requestSignOut(dataFolder())).toBe(true);
    expect(await test.call("check", secret)).toMatchObject({ status: 401 });
    // The command line is not signed out.
    expect(await requestLink(dataFolder())).not.toBeNull();
  });

  it("returns nothing to the command line if no shell runs, even if its file remained and its port is reused", async () => {
    const control = readFileSync(join(dataFolder(), "web.json"), "utf8");
    await test.shell.close();
    expect(await requestLink(dataFolder())).toBeNull();
    writeFileSync(join(dataFolder(), "web.json"), control);
    expect(await requestLink(dataFolder())).toBeNull();

    const received: (string | undefined)[] = [];
    const other = createServer(({ headers }, response) => {
      received.push(headers.authorization);
      response.end("x".repeat(43));
    });
    await once(other.listen(0, "127.0.0.1"), "listening");
    const origin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    writeFileSync(join(dataFolder(), "web.json"), JSON.stringify({ ...JSON.parse(control), origin }));
    expect(await requestLink(dataFolder())).toBeNull();
    expect(await requestSignOut(dataFolder())).toBe(false);
    // Whoever took the port does not get the secret either.
    expect(received).toEqual([undefined, undefined]);
    for (const odd of ["", "{", "[]", JSON.stringify({ origin: "http://evil.example:80", secret: "x".repeat(43) })]) {
      writeFileSync(join(dataFolder(), "web.json"), odd);
      expect(await requestLink(dataFolder())).toBeNull();
    }
    other.close();
  });
});
