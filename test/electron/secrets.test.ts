import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSafeSecrets } from "../../src/main/electron/secrets.ts";
import { SecretError } from "../../src/main/secrets/error.ts";

const KEY = "zd_live_0123456789abcdef";

const turn = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte) => byte ^ 0x5a));
/** Windows keeps no such modes. */
const othersBits = process.platform === "win32" ? 0 : 0o077;

/** The system's store, as Electron offers it: seals by turning bits, and can be locked or ask for a new seal. */
function systemStore() {
  const store = {
    backend: "gnome_libsecret" as "gnome_libsecret" | "basic_text",
    locked: false,
    reseal: false,
    sealed: 0,
  };
  return {
    store,
    storage: {
      isAsyncEncryptionAvailable: () => Promise.resolve(true),
      getSelectedStorageBackend: () => store.backend,
      encryptStringAsync: async (text: string) => {
        store.sealed++;
        return turn(Buffer.from(text));
      },
      decryptStringAsync: async (sealed: Buffer) => {
        if (store.locked) throw new Error(`cannot open ${sealed.toString("hex")}`);
        return { result: turn(sealed).toString(), shouldReEncrypt: store.reseal };
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

describe("where the system protects nothing", () => {
  it("keys last as long as the program, and nothing is written", async () => {
    const { store, storage } = systemStore();
    store.backend = "basic_text";
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
    store.backend = "basic_text";
    await createSafeSecrets(folder, storage, "linux").set("c", KEY);
    store.backend = "gnome_libsecret";
    expect(await createSafeSecrets(folder, storage, "linux").get("c")).toBeNull();
  });
});
