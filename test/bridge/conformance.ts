import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Bridge, contract } from "#shared/bridge/contract.ts";
import { type RunningService, startService } from "#service/index.ts";
import { KEY } from "../support/desk.ts";
import { availabilityCases } from "./cases/availability.ts";
import { catalogueCases } from "./cases/catalogue.ts";
import { compareCases } from "./cases/compare.ts";
import { productCases } from "./cases/products.ts";
import { figureCases } from "./cases/figures.ts";
import { connectionCases } from "./cases/connections.ts";
import { type Cases, connectService, faultOf, type World } from "./cases/case.ts";
import { exportCases } from "./cases/export.ts";
import { fileCases } from "./cases/files.ts";
import { jobCases } from "./cases/jobs.ts";
import { scheduleCases } from "./cases/schedules.ts";
import { seriesCases } from "./cases/series.ts";
import { storageCases } from "./cases/storage.ts";
import { systemCases } from "./cases/system.ts";
import { KEPT, LOCKED_OUT, prepareFolder, READ_NATIVE, ASKED, ONE } from "./fixture.ts";
import { openSilentServer, type SilentServer } from "./silentServer.ts";

/** A window of a core. */
export interface OpenWindow {
  readonly bridge: Bridge;
  close(): Promise<void>;
}

/** An application on a data folder, with its first window. */
export interface OpenBridge extends OpenWindow {
  /** Another window on the same core. */
  openWindow(): Promise<OpenWindow>;
}

/** A case for every method of the contract, by `domain.method`. */
const CASES: Readonly<Record<string, Cases<string>[string]>> = {
  ...connectionCases,
  ...catalogueCases,
  ...jobCases,
  ...seriesCases,
  ...availabilityCases,
  ...compareCases,
  ...productCases,
  ...figureCases,
  ...exportCases,
  ...scheduleCases,
  ...fileCases,
  ...storageCases,
  ...systemCases,
};

/** The desktop shell is built first if necessary. */
const OPEN_MS = 120_000;

const METHODS = Object.entries(contract).flatMap(([domain, methods]) =>
  Object.keys(methods).map((name) => `${domain}.${name}`),
);

/**
 * Tests the whole contract of the bridge on a real application over one transport.
 *
 * @param open starts the application on a prepared data folder, which is deleted after its windows are closed
 * @param missing why the tests cannot run here, null if they can
 */
export function describeBridge(
  name: string,
  open: (dataFolder: string) => Promise<OpenBridge>,
  missing: string | null = null,
): void {
  describe(`bridge over ${name}`, () => {
    let folder: string;
    let service: RunningService;
    let silent: SilentServer;
    let opened: OpenBridge;
    let world: World;

    beforeEach((context) => context.skip(missing !== null, missing ?? ""));
    beforeAll(async () => {
      if (missing !== null) return;
      folder = mkdtempSync(join(tmpdir(), "zenith-bridge-"));
      prepareFolder(folder);
      service = await startService({ organizations: [{ key: KEY, name: "test", maxPoints: 100_000 }] });
      silent = await openSilentServer();
      opened = await open(folder);
      world = { bridge: opened.bridge, folder, service, silentUrl: silent.url };
    }, OPEN_MS);
    afterAll(async () => {
      if (missing !== null) return;
      await opened.close();
      await silent.close();
      await service.close();
      rmSync(folder, { recursive: true, force: true });
    });

    it("has a case for every method", () => {
      expect(Object.keys(CASES).toSorted()).toEqual(METHODS.toSorted());
    });

    describe("fulfils the contract of", () => {
      it.each(METHODS)("%s", async (method) => {
        expect(await CASES[method]?.(world)).toBeUndefined();
      });
    });

    it("names the field of an invalid input, but not its value", async () => {
      const apiKey = "secret-0d5f".repeat(100);
      const fault = faultOf(await opened.bridge.connections.add({ name: "x", baseUrl: "y", apiKey, remember: true }));
      expect(fault).toMatchObject({ kind: "usage", message: expect.stringContaining("apiKey") });
      expect(JSON.stringify(fault)).not.toContain("secret-0d5f");
      const reversed = { startMs: ASKED.endMs, endMs: ASKED.startMs };
      const selection = { connectionId: KEPT, stationIds: [ONE], variables: ["ztd" as const], mode: READ_NATIVE };
      expect(faultOf(await opened.bridge.series.statistics({ ...selection, range: reversed }))).toMatchObject({
        kind: "usage",
        message: expect.stringContaining("range"),
      });
    });

    it("reports an error of a lower layer as a fault with a message", async () => {
      const fault = faultOf(await opened.bridge.cache.statistics({ connectionId: LOCKED_OUT }));
      expect(fault).toMatchObject({ kind: "disk", message: expect.stringMatching(/cannot be opened/) });
      expect(faultOf(await opened.bridge.cache.statistics({ connectionId: "no such" })).kind).toBe("usage");
    });

    it("aborts the work of a cancelled call", async () => {
      const control = new AbortController();
      const connected = silent.nextConnection();
      const call = opened.bridge.connections.test({ baseUrl: silent.url, apiKey: KEY }, { signal: control.signal });
      const connection = await connected;
      control.abort();
      expect(faultOf(await call).kind).toBe("cancelled");
      await connection.gone();
    });

    it("aborts the work of a closed window", async () => {
      const window = await opened.openWindow();
      const connected = silent.nextConnection();
      void window.bridge.connections.test({ baseUrl: silent.url, apiKey: KEY });
      const connection = await connected;
      await window.close();
      expect(await connection.gone()).toBeUndefined();
    });

    it("sends events to every window, except to closed ones and removed listeners", async () => {
      const [second, third] = [await opened.openWindow(), await opened.openWindow()];
      const received: string[] = [];
      const notified = [opened, second].map(
        ({ bridge }, i) =>
          new Promise<void>((resolve) => {
            const stop = bridge.on("settingsChanged", ({ localTime }) => {
              received.push(`${i} ${localTime}`);
              stop();
              resolve();
            });
          }),
      );
      third.bridge.on("settingsChanged", () => received.push("closed"));
      await third.close();
      await second.bridge.settings.write({ localTime: false });
      await Promise.all(notified);
      await opened.bridge.settings.write({ localTime: true });
      expect(received.toSorted()).toEqual(["0 false", "1 false"]);
      await second.close();
    });

    it("returns to each of many concurrent calls its own result", async () => {
      const keys = Array.from({ length: 50 }, (_, i) => `many-${i}`);
      await Promise.all(keys.map((key) => opened.bridge.settings.writeWorkspace({ key, content: `"${key}"` })));
      const results = await Promise.all(keys.map((key) => opened.bridge.settings.readWorkspace({ key })));
      expect(results).toEqual(keys.map((key) => ({ ok: true, value: `"${key}"` })));
    });

    it("never returns a key", async () => {
      await connectService(world);
      const { bridge } = opened;
      const results = [await bridge.connections.list({}), await bridge.jobs.list({}), await bridge.system.about({})];
      expect(JSON.stringify(results)).not.toContain(KEY);
    });
  });
}
