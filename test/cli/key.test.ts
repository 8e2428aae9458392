import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { scratchFolder } from "../support/folder.ts";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { Stop } from "#main/cli/exit.ts";
import { SecretError } from "#main/secrets.ts";
import { createFileSecrets, readKeyFile } from "#main/secrets.ts";
import { givenKey, missingKey, refuseKeyArgument } from "#main/cli/key.ts";
import { KEY, openTrial } from "./trial.ts";
import { invocation, shellWord, userPath } from "#main/cli/options/paths.ts";

describe("a key in the arguments", () => {
  it.each("--key -key --api-key --apikey --API_KEY --key=x --zenith-api-key=x --token --secret=x".split(" "))(
    "is rejected: %s",
    (option) => {
      expect(() => refuseKeyArgument(["connect", "https://example.org", option, "hunter2"])).toThrow(Stop);
      expect(() => refuseKeyArgument([option])).toThrow(/^(?!.*hunter2)/s);
    },
  );

  it.each(["--key-file", "--key-file=x", "--name", "monkey", "keyhole", "--json"])("is not assumed: %s", (option) => {
    expect(() => refuseKeyArgument([option])).not.toThrow();
  });
});

describe("the message for a missing key", () => {
  it("suggests a terminal, except for the installed program on Windows", () => {
    expect(missingKey("linux", "45.4.1").message).toMatch(/in a terminal\.$/);
    expect(missingKey("win32", undefined).message).toMatch(/in a terminal\.$/);
    expect(missingKey("win32", "45.4.1")).toMatchObject({
      exitCode: 4,
      message: expect.stringMatching(/cannot ask for one\. Set ZENITH_API_KEY, or name a file .* --key-file\.$/),
    });
  });
});

it("connect without a name means the connection of that address, and adds none", async () => {
  const { service, home } = await openTrial();
  const again = await home.json(["connect", service.url, "--settle-after", "24h"], 0, { env: KEY });
  expect(again).toMatchObject({ connection: { name: "trial" } });
  expect((await home.json(["connect"]))["connections"]).toHaveLength(1);

  await home.json(["connect", service.url, "--name", "second"], 0, { env: KEY });
  const third = await home.run(["connect", service.url], { env: KEY });
  expect(third).toMatchObject({ code: 2, stderr: expect.stringMatching(/“second”, “trial”|“trial”, “second”/) });
});

describe("key files", () => {
  let folder = "";
  beforeEach(() => void (folder = scratchFolder()));
  it("are readable only by their owner, also after a file with other permissions is replaced", async () => {
    const secrets = createFileSecrets(folder);
    const path = join(folder, "a%2Fb.key");
    writeFileSync(path, "old", { mode: 0o644 });
    chmodSync(path, 0o644);
    await expect(secrets.get("a/b")).rejects.toThrow(/chmod 600/);
    await secrets.set("a/b", "new");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, "utf8")).toBe("new\n");
    expect(await secrets.get("a/b")).toBe("new");
    await secrets.delete("a/b");
    expect(await secrets.get("a/b")).toBeNull();
  });

  it.each([0o640, 0o604, 0o644, 0o660, 0o777])("are rejected with mode %i", async (mode) => {
    const path = join(folder, "key");
    writeFileSync(path, "secret");
    chmodSync(path, mode);
    await expect(readKeyFile(path)).rejects.toThrow(SecretError);
    await expect(givenKey(path, {})).rejects.toMatchObject({ name: "SecretError" });
  });

  it("take precedence over the environment; without a key the result is null", async () => {
    const path = join(folder, "key");
    writeFileSync(path, "from-file\n", { mode: 0o600 });
    expect(await givenKey(path, { ZENITH_API_KEY: "from-env" })).toBe("from-file");
    expect(await givenKey(undefined, { ZENITH_API_KEY: " from-env " })).toBe("from-env");
    expect(await givenKey(undefined, { ZENITH_API_KEY: "" })).toBeNull();
    await expect(givenKey(undefined, { ZENITH_API_KEY: "a\r\nX-Evil: 1" })).rejects.toMatchObject({ exitCode: 4 });
  });
});

describe("quoted arguments", () => {
  it("are one word in a shell and execute nothing", () => {
    expect(["Kallio", "network:NORDA", "a b", "it's", "$(rm)", "高見原"].map(shellWord)).toEqual([
      "Kallio",
      "network:NORDA",
      "'a b'",
      "'it'\\''s'",
      "'$(rm)'",
      "'高見原'",
    ]);
  });

  it("under npm, paths are relative to the user's folder and printed commands start with npm", () => {
    const env = { npm_lifecycle_event: "zenith", INIT_CWD: "/somewhere" };
    expect(userPath("a/b.nc", env)).toBe("/somewhere/a/b.nc");
    expect(userPath("/a/b.nc", env)).toBe("/a/b.nc");
    expect(userPath("b.nc", {})).toBe(join(process.cwd(), "b.nc"));
    expect(invocation(env)).toBe("npm run zenith --");
    expect(invocation({}, join(process.cwd(), "src/x.ts"))).toBe("node src/x.ts");
  });
});
