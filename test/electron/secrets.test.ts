import { readdirSync, readFileSync, statSync } from "node:fs";
import { scratchFolder } from "../support/folder.ts";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { SafeSecrets } from "#main/electron/secrets.ts";
import { SecretError } from "#main/secrets.ts";

const KEY = "zd_live_0123456789abcdef";

const flipBits = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte) => byte ^ 0x5a));
/** The permissions of others; Windows has no such modes. */
const othersBits = process.platform === "win32" ? 0 : 0o077;

/**
 * A secret store with the interface of Electron: encrypts by flipping bits, and can be locked or request re-encryption.
 */
function systemStore() {
  const store = {
    /** The prefix of encrypted data, for a keyring, a portal or a hard-coded key. */
    head: "v11" as "v11" | "v12" | "v10" | "DPA",
    refuses: false,
    locked: false,
    reencrypts: false,
    encrypted: 0,
  };
  return {
    store,
    storage: {
      encryptStringAsync: async (text: string) => {
        store.encrypted++;
        if (store.refuses) throw new Error("Error while encrypting");
        return Buffer.concat([Buffer.from(store.head), flipBits(Buffer.from(text))]);
      },
      decryptStringAsync: async (encrypted: Buffer) => {
        if (store.locked) throw new Error(`cannot open ${encrypted.toString("hex")}`);
        return { result: flipBits(encrypted.subarray(3)).toString(), shouldReEncrypt: store.reencrypts };
      },
    },
  };
}

let folder = "";
beforeEach(() => void (folder = join(scratchFolder(), "keys")));
function onDisk(): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

describe("keys in the system's secret store", () => {
  it("are restored in the next run from an encrypted file that only its owner can read", async () => {
    const { storage } = systemStore();
    const first = new SafeSecrets(folder, storage, "linux");
    await first.set("a/../b", KEY);
    expect(await first.protection()).toBe("protected");
    expect(await new SafeSecrets(folder, storage, "linux").get("a/../b")).toBe(KEY);
    const [name = ""] = onDisk();
    expect(onDisk()).toHaveLength(1);
    expect(readFileSync(join(folder, name), "latin1")).not.toContain(KEY);
    expect(statSync(join(folder, name)).mode & othersBits).toBe(0);
  });

  it("are encrypted again if the system requests it", async () => {
    const { store, storage } = systemStore();
    const secrets = new SafeSecrets(folder, storage, "darwin");
    await secrets.set("c", KEY);
    store.reencrypts = true;
    expect(await secrets.get("c")).toBe(KEY);
    expect(store.encrypted).toBe(2);
    expect(onDisk()).toHaveLength(1);
  });

  it("remain after an error that does not expose them if the store is locked", async () => {
    const { store, storage } = systemStore();
    const secrets = new SafeSecrets(folder, storage, "win32");
    await secrets.set("c", KEY);
    store.locked = true;
    const thrown = await secrets.get("c").catch((reason: unknown) => reason);
    expect(thrown).toBeInstanceOf(SecretError);
    expect(String(thrown)).not.toMatch(/[0-9a-f]{8}/);
    store.locked = false;
    expect(await secrets.get("c")).toBe(KEY);
  });

  it("are removed when they are deleted", async () => {
    const { storage } = systemStore();
    const secrets = new SafeSecrets(folder, storage, "linux");
    await secrets.set("c", KEY);
    await secrets.delete("c");
    expect(await secrets.get("c")).toBeNull();
    expect(onDisk()).toEqual([]);
  });
});

describe("the secret store of the system", () => {
  it("is not used before there is a key", async () => {
    const { store, storage } = systemStore();
    const secrets = new SafeSecrets(folder, storage, "linux");
    expect([await secrets.expectedProtection(), await secrets.get("c")]).toEqual(["unasked", null]);
    expect(store.encrypted).toBe(0);
    await secrets.set("c", KEY);
    expect(await secrets.expectedProtection()).toBe("protected");
    for (const platform of ["win32", "darwin"] as const)
      expect(await new SafeSecrets(folder, storage, platform).expectedProtection()).toBe("protected");
    expect(store.encrypted).toBe(1);
  });

  it.each([
    ["a keyring on Linux", "linux", { head: "v11" }, "protected"],
    ["a portal on Linux", "linux", { head: "v12" }, "protected"],
    ["a hard-coded key on Linux", "linux", { head: "v10" }, "session"],
    ["an unknown prefix", "linux", { head: "DPA" }, "session"],
    ["the key of the user on Windows", "win32", { head: "v10" }, "protected"],
    ["a store that rejects encryption", "darwin", { refuses: true }, "session"],
  ] as const)("has a protection determined by its encrypted data: %s", async (_, platform, state, protection) => {
    const { store, storage } = systemStore();
    Object.assign(store, state);
    const secrets = new SafeSecrets(folder, storage, platform);
    expect(await secrets.protection()).toBe(protection);
    expect(await secrets.expectedProtection()).toBe(protection);
    await secrets.set("c", KEY);
    expect(onDisk()).toHaveLength(protection === "protected" ? 1 : 0);
    expect(await secrets.get("c")).toBe(KEY);
  });
});

describe("keys without a secure store", () => {
  it("are kept only in memory until the program ends", async () => {
    const { store, storage } = systemStore();
    store.head = "v10";
    const secrets = new SafeSecrets(folder, storage, "linux");
    expect(await secrets.protection()).toBe("session");
    await secrets.set("c", KEY);
    expect(await secrets.get("c")).toBe(KEY);
    expect(onDisk()).toEqual([]);
    expect(await new SafeSecrets(folder, storage, "linux").get("c")).toBeNull();
  });

  it("replace older keys in files", async () => {
    const { store, storage } = systemStore();
    await new SafeSecrets(folder, storage, "linux").set("c", "old-key");
    store.head = "v10";
    await new SafeSecrets(folder, storage, "linux").set("c", KEY);
    store.head = "v11";
    expect(await new SafeSecrets(folder, storage, "linux").get("c")).toBeNull();
  });
});
