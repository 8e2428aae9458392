import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openClaimStore } from "#main/store/locks/claimStore.ts";
import { openCache, openUserStore, StoreError } from "#main/store/index.ts";
import type { ConnectionRecord, JobRecord, UserStore } from "#main/store/user/types.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { IS_ENDURANCE, tries } from "../support/endurance.ts";
import { overwrite, PAGE_BYTES, random } from "./corrupt.ts";
import { temporaryFolders } from "./folder.ts";

const folder = temporaryFolders();
const DEADLINE_MS = tries(60_000, 1_800_000);
const MOMENTS = 4;

function newFolder(): string {
  const made = folder();
  mkdirSync(made);
  return made;
}

/**
 * Opens the last state of a file with some of its pages from an earlier state.
 *
 * @returns number of successful openings
 */
function withStalePages(files: readonly Buffer[], name: string, met: (path: string) => void): number {
  const last = files.at(-1)!;
  const next = random(7);
  const place = newFolder();
  let opened = 0;
  const open = (pages: readonly number[], old: Buffer): void => {
    const path = join(place, `${opened++}-${name}`);
    writeFileSync(path, last);
    for (const page of pages) overwrite(path, page * PAGE_BYTES, pageOf(old, page));
    met(path);
  };
  for (const old of files.slice(0, -1)) {
    const shared = Math.min(old.length, last.length) / PAGE_BYTES;
    const changed = Array.from({ length: shared }, (_, page) => page).filter(
      (page) => !pageOf(old, page).equals(pageOf(last, page)),
    );
    const step = IS_ENDURANCE ? 1 : Math.ceil(changed.length / 5);
    for (let i = 0; i < changed.length; i += step) open([changed[i]!], old);
    for (let run = 0; run < tries(2, 200); run++)
      open(
        changed.filter(() => next() < 0.4),
        old,
      );
  }
  return opened;
}

function pageOf(file: Buffer, page: number): Buffer {
  return file.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES);
}

/** Returns a record as text, independent of the order of its fields. */
function textOf(record: unknown): string {
  return JSON.stringify(record, (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

/** Returns whether a file was rejected with a message. Rethrows any error but a `StoreError`. */
function isRefused(work: () => void): boolean {
  try {
    work();
    return false;
  } catch (thrown) {
    if (thrown instanceof StoreError && ["corrupt", "foreign", "newer"].includes(thrown.kind)) return true;
    throw thrown;
  }
}

const connection = (id: string, moment: number): ConnectionRecord => ({
  id,
  name: `${id} at ${moment}`,
  baseUrl: `https://${id}-${moment}.example.org`,
  createdAtMs: 5,
  cacheFile: `cache-${id}.db`,
  kind: "service",
  proxy: null,
  caFile: null,
});
const job = (id: string, connectionId: string, moment: number): JobRecord => ({
  id,
  connectionId,
  spec: {
    stationIds: Array.from({ length: 20 }, (_, i) => `${connectionId} ${moment} ${i}`),
    variables: ["ztd"],
    range: { startMs: 0, endMs: moment + 1 },
    intervalSeconds: null,
    raw: false,
  },
  state: "paused",
  reason: null,
  createdAtMs: 6,
  updatedAtMs: moment,
  counters: null,
  verdictCounts: null,
  keepUp: false,
  nextRunMs: null,
});

function isNamedDamage(record: object): boolean {
  return "damage" in record || ("content" in record && record.content === null);
}

function readAndChange(path: string, kept: ReadonlySet<string>): void {
  const users: UserStore = openUserStore(path);
  try {
    const jobs = users.jobs();
    for (const record of [...users.connections(), ...jobs, ...users.views(), ...users.savedExports()])
      expect(users.damage.length > 0 && isNamedDamage(record) ? true : kept.has(textOf(record))).toBe(true);
    for (const { id } of jobs) expect(users.job(id)?.id ?? id).toBe(id);
    users.putSetting("theme", "dark");
    for (const { id } of users.connections()) users.deleteConnection(id);
    expect(users.connections()).toEqual([]);
  } finally {
    users.close();
  }
}

describe("user.db with pages of an earlier moment", () => {
  test("is rejected with a message, or has only records that were saved once", { timeout: DEADLINE_MS }, () => {
    const path = join(newFolder(), "user.db");
    const kept = new Set<string>();
    const noted = <T>(record: T): T => (kept.add(textOf(record)), record);
    const files: Buffer[] = [];
    for (let moment = 0; moment < MOMENTS; moment++) {
      const users = openUserStore(path);
      if (moment > 0) users.deleteConnection(`gone${moment - 1}`);
      for (const id of [`gone${moment}`, "always", `new${moment}`]) {
        users.putConnection(noted(connection(id, moment)));
        for (let n = 0; n < 30; n++) users.putJob(noted(job(`${id}-${n}`, id, moment)));
        users.putView(noted({ name: `view of ${id}`, content: { text: "x".repeat(500 + 300 * moment) } }));
        users.putSavedExport(noted({ name: `file of ${id}`, connectionId: id, content: { of: `${id} ${moment}` } }));
      }
      users.putSetting("theme", String(moment));
      users.close();
      files.push(readFileSync(path));
    }
    let refused = 0;
    const opened = withStalePages(files, "user.db", (stale) => {
      if (isRefused(() => readAndChange(stale, kept))) refused++;
    });
    if (IS_ENDURANCE) console.log("stale pages of user.db", opened, "refused", refused);
    expect(opened).toBeGreaterThan(10);
    expect(refused).toBeLessThan(opened);
  });
});

describe("claims.db with pages of an earlier moment", () => {
  test("is used or recreated, and accepts claims", { timeout: DEADLINE_MS }, () => {
    const path = join(newFolder(), "claims.db");
    const files: Buffer[] = [];
    const contents: string[] = [];
    const store = openClaimStore(path);
    const ends: (() => void)[] = [];
    for (let moment = 0; moment < MOMENTS; moment++) {
      for (const end of ends.splice(0, 20)) end();
      for (let n = 0; n < 60; n++) {
        const content = `${moment} ${n} ${"x".repeat(300)}`;
        contents.push(content);
        ends.push(
          store.take("c1", content, () => true)!,
          store.registerUse(join(path, String(n)), "a window"),
        );
      }
      const copy = join(newFolder(), "claims.db");
      for (const end of ["", "-wal"]) copyFileSync(path + end, copy + end);
      openClaimStore(copy).close();
      files.push(readFileSync(copy));
    }
    store.close();
    const opened = withStalePages(files, "claims.db", (stale) => {
      const claims = openClaimStore(stale);
      const give = claims.take("c1", "mine", (others) => {
        for (const other of others) expect(contents).toContain(other);
        return true;
      });
      expect(give).not.toBeNull();
      const leave = claims.registerUse(stale, "a window");
      for (const who of claims.otherUsersOf(join(path, "1"))) expect(who).toBe(`a window (process ${process.pid})`);
      expect(() => claims.version()).not.toThrow();
      leave();
      give?.();
      claims.close();
    });
    expect(opened).toBeGreaterThan(10);
  });
});

const stationsAt = (moment: number): CatalogueStation[] =>
  Array.from({ length: 150 + 10 * moment }, (_, n) => ({
    id: `station-${String((n + moment * 7) % 400).padStart(3, "0")}`,
    // Names change from station to station.
    displayName: `Name ${n}`,
    mountpoint: null,
    sourceType: "cors",
    historicDataFromMs: 0,
    hasNeverSent: false,
    resolutionSeconds: 30,
    // Incompressible, so that the catalogue takes several pages.
    locationAlias: createHash("sha512").update(`${n} of ${moment}`).digest("base64"),
    countryCode: "FI",
    latitudeDeg: moment,
    longitudeDeg: n,
    height: 1,
    heightReference: "WGS84_ELLIPSOID",
    ellipsoidalHeight: 1,
    orthometricHeight: 2,
    dataLastUpdatedMs: moment,
    networkId: "n",
    networkCode: "N",
    createdAtMs: 0,
    updatedAtMs: moment,
  }));

/** Time at which the catalogue of a state was fetched. */
const timeOf = (moment: number): number => (1_000 + moment) * 86_400_000;

describe("a catalogue with pages of an earlier moment", () => {
  test("is whole and of one moment, or counts as never fetched", { timeout: DEADLINE_MS }, () => {
    const path = join(newFolder(), "cache.db");
    const truth = Array.from({ length: MOMENTS }, (_, moment) => stationsAt(moment));
    const files = truth.map((stations, moment) => {
      const cache = openCache(path);
      cache.replaceCatalogue(stations, [], timeOf(moment));
      cache.close();
      return readFileSync(path);
    });
    const seen = { whole: 0, lost: 0, refused: 0 };
    withStalePages(files, "cache.db", (stale) => {
      if (isRefused(() => demandOneMoment(stale))) seen.refused++;
    });
    if (IS_ENDURANCE) console.log("stale pages of the catalogue", seen);
    expect(Math.min(seen.lost, seen.whole)).toBeGreaterThan(0);

    function demandOneMoment(stale: string): void {
      const cache = openCache(stale);
      try {
        const { stations, fetchedAtMs } = cache.catalogue();
        seen[fetchedAtMs === null ? "lost" : "whole"]++;
        expect(stations).toEqual(fetchedAtMs === null ? [] : truth[Math.round(fetchedAtMs / 86_400_000) - 1_000]);
        for (const station of stations) expect(cache.station(station.id)).toEqual(station);
        cache.replaceCatalogue(truth[0]!, [], timeOf(9));
        // On pages that SQLite takes for free, it may be overwritten again.
        const after = cache.catalogue();
        expect([null, timeOf(9)]).toContain(after.fetchedAtMs);
        expect(after.stations).toEqual(after.fetchedAtMs === null ? [] : truth[0]);
      } finally {
        cache.close();
      }
    }
  });
});
