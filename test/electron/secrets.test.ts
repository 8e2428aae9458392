import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSafeSecrets } from "../../src/main/electron/secrets.ts";
import { SecretError } from "#main/secrets/storedKey.ts";

const KEY = "zd_live_0123456789abcdef";

const turn = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte) => byte ^ 0x5a));
/** Windows keeps no such modes. */
const othersBits = process.platform === "win32" ? 0 : 0o077;

/** The system's store, as Electron offers it: seals by turning bits, and can be locked or ask for a new seal. */
function systemStore() {
  const store = {
    /** What seals: a keyring, a portal, or a key that everybody knows. */
    head: "v11" as "v11" | "v12" | "v10" | "DPA",
    refuses: false,
    locked: false,
    reseal: false,
    sealed: 0,
  };
  return {
    store,
    storage: {
      encryptStringAsync: async (text: string) => {
        store.sealed++;
        if (store.refuses) throw new Error("Error while encrypting");
        return Buffer.concat([Buffer.from(store.head), turn(Buffer.from(text))]);
      },
      decryptStringAsync: async (sealed: Buffer) => {
        if (store.locked) throw new Error(`cannot open ${sealed.toString("hex")}`);
        return { result: turn(sealed.subarray(3)).toString(), shouldReEncrypt: store.reseal };
      },
    },
  };
}

let folder = "";
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "zenith-keys-")), "keys");
});
afterEach(() => rmSync(join(folder, ".."), { recursive: true, force: true }));

function onDisk(): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

describe("keys in the system's secret store", () => {
  it("come back in the next run, from a file that only its owner can read and that does not show them", async () => {
    const { storage } = systemStore();
    const first = createSafeSecrets(folder, storage, "linux");
    await first.set("a/../b", KEY);
    expect(await first.protection()).toBe("protected");
    expect(await createSafeSecrets(folder, storage, "linux").get("a/../b")).toBe(KEY);
    const [name = ""] = onDisk();
    expect(onDisk()).toHaveLength(1);
    expect(readFileSync(join(folder, name), "latin1")).not.toContain(KEY);
    expect(statSync(join(folder, name)).mode & othersBits).toBe(0);
  });

  it("are sealed anew where the system asks for it", async () => {
    const { store, storage } = systemStore();
    const secrets = createSafeSecrets(folder, storage, "darwin");
    await secrets.set("c", KEY);
    store.reseal = true;
    expect(await secrets.get("c")).toBe(KEY);
    expect(store.sealed).toBe(2);
    expect(onDisk()).toHaveLength(1);
  });

  it("are told of with a sentence where the store does not open, and stay", async () => {
    const { store, storage } = systemStore();
    const secrets = createSafeSecrets(folder, storage, "win32");
    await secrets.set("c", KEY);
    store.locked = true;
    const thrown = await secrets.get("c").catch((reason: unknown) => reason);
    expect(thrown).toBeInstanceOf(SecretError);
    expect(String(thrown)).not.toMatch(/[0-9a-f]{8}/);
    store.locked = false;
    expect(await secrets.get("c")).toBe(KEY);
  });

  it("are gone when they are deleted", async () => {
    const { storage } = systemStore();
    const secrets = createSafeSecrets(folder, storage, "linux");
    await secrets.set("c", KEY);
    await secrets.delete("c");
    expect(await secrets.get("c")).toBeNull();
    expect(onDisk()).toEqual([]);
  });
});

describe("the system's store", () => {
  it("is not asked before there is a key to keep", async () => {
    const { store, storage } = systemStore();
    const secrets = createSafeSecrets(folder, storage, "linux");
    expect([await secrets.expectedProtection(), await secrets.get("c")]).toEqual(["unasked", null]);
    expect(store.sealed).toBe(0);
    await secrets.set("c", KEY);
    expect(await secrets.expectedProtection()).toBe("protected");
    for (const platform of ["win32", "darwin"] as const)
      expect(await createSafeSecrets(folder, storage, platform).expectedProtection()).toBe("protected");
    expect(store.sealed).toBe(1);
  });

  it.each([
    ["a keyring on Linux", "linux", { head: "v11" }, "protected"],
    ["a portal on Linux", "linux", { head: "v12" }, "protected"],
    ["the key that everybody knows", "linux", { head: "v10" }, "session"],
    ["what names no key", "linux", { head: "DPA" }, "session"],
    ["the same name on Windows, whose key is the user's", "win32", { head: "v10" }, "protected"],
    ["a store that refuses", "darwin", { refuses: true }, "session"],
  ] as const)("is judged by what it seals: %s", async (_, platform, state, protection) => {
    const { store, storage } = systemStore();
    Object.assign(store, state);
    const secrets = createSafeSecrets(folder, storage, platform);
    expect(await secrets.protection()).toBe(protection);
    expect(await secrets.expectedProtection()).toBe(protection);
    await secrets.set("c", KEY);
    expect(onDisk()).toHaveLength(protection === "protected" ? 1 : 0);
    expect(await secrets.get("c")).toBe(KEY);
  });
});

describe("where the system protects nothing", () => {
  it("keys last as long as the program, and nothing is written", async () => {
    const { store, storage } = systemStore();
    store.head = "v10";
    const secrets = createSafeSecrets(folder, storage, "linux");
    expect(await secrets.protection()).toBe("session");
    await secrets.set("c", KEY);
    expect(await secrets.get("c")).toBe(KEY);
    expect(onDisk()).toEqual([]);
    expect(await createSafeSecrets(folder, storage, "linux").get("c")).toBeNull();
  });

  it("an older key in a file does not come back after a newer one", async () => {
    const { store, storage } = systemStore();
    await createSafeSecrets(folder, storage, "linux").set("c", "old-key");
    store.head = "v10";
    await createSafeSecrets(folder, storage, "linux").set("c", KEY);
    store.head = "v11";
    expect(await createSafeSecrets(folder, storage, "linux").get("c")).toBeNull();
  });
});
