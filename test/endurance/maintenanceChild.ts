// Maintenance of a cache in a separate process that is killed: node maintenanceChild.ts <work> <data folder> <kill before this
// call, or 0>
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import Database from "better-sqlite3";
import { createBuiltApp } from "../support/builtCore.ts";
import { UNSEEN } from "../support/pace.ts";
import { CONNECTION, shared, halfOf, movedTo, PINNED } from "./maintenanceFixture.ts";
import { valueOf } from "../support/valueOf.ts";

const [work, folder, killAt] = process.argv.slice(2);
let calls = 0;
let isCounting = false;

/** Kills the process before the n-th disk call, that is, between any two steps of the work. */
function count(): void {
  if (isCounting && ++calls === Number(killAt)) process.kill(process.pid, "SIGKILL");
}

function counted<T extends object>(owner: T, name: keyof T & string): void {
  const original = owner[name] as (...given: unknown[]) => unknown;
  const replaced = function (this: unknown, ...given: unknown[]): unknown {
    count();
    return original.apply(this, given);
  };
  owner[name] = replaced as T[keyof T & string];
}

const scratch = new Database(":memory:");
const statement = Object.getPrototypeOf(scratch.prepare("SELECT 1")) as Database.Statement;
for (const name of ["run", "get", "all"] as const) counted(statement, name);
for (const name of ["exec", "pragma", "close"] as const) counted(Database.prototype, name);
for (const name of ["renameSync", "rmSync", "writeFileSync"] as const) counted(fs, name);
syncBuiltinESMExports();

const app = await createBuiltApp(folder!);
const connection = await app.connections.open(app.connections.find(CONNECTION)!);
const { cache } = connection;
process.stdout.write("ready\n");
isCounting = work !== "compactHere";
if (work === "move") {
  valueOf(await app.cacheMaintenance.move(connection, movedTo(folder!), UNSEEN));
} else if (work === "compact") await app.cacheMaintenance.compact(connection, UNSEEN);
else if (work === "compactHere") {
  const { compactFile } = await import("#main/store/maintenance/compact.ts");
  isCounting = true;
  await compactFile(cache.path, { onProgress: () => {}, throwIfStopped: count });
} else if (work === "evict") {
  cache.pin([PINNED], true);
  await app.maximumSizes.set(connection, halfOf(cache.usedBytes()));
} else if (work === "forget")
  await cache.forgetInSteps(
    { stationIds: null, range: null, variables: ["pwv"] },
    () => {},
    new AbortController().signal,
  );
else if (work === "open") {
  const pace = { onProgress: () => {}, signal: new AbortController().signal };
  valueOf(await app.sessionFiles.open(shared(folder!), "s.zenith", pace));
}
isCounting = false;
process.stdout.write(`done ${calls}\n`);
process.exit(0);
