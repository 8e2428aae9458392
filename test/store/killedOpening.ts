import { spawnSync } from "node:child_process";
import { hostname } from "node:os";
import Database from "better-sqlite3";

/** Makes a closed cache look like one that a process had open when it was killed. */
export function leaveOpen(path: string): void {
  const db = new Database(path);
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  db.prepare("INSERT INTO opening VALUES ('killed', ?, ?)").run(pid, hostname());
  db.close();
}
