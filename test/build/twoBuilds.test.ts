import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolders } from "../support/folder.ts";

const root = join(import.meta.dirname, "..", "..");
const folder = temporaryFolders();

/** Stands for the bundler: tells that it was called, and writes the bundles when it may. */
const BUNDLER = `
import { appendFileSync, existsSync, mkdirSync } from "node:fs";
const out = process.argv.at(-1);
appendFileSync("calls", "x");
const wait = new Int32Array(new SharedArrayBuffer(4));
while (!existsSync("go")) Atomics.wait(wait, 0, 0, 20);
for (const part of ["main", "preload", "renderer"]) mkdirSync(out + "/" + part, { recursive: true });
`;

it("two builds that start together both end well, and build once", async () => {
  const clone = folder();
  for (const part of ["src", "docs", "resources"]) symlinkSync(join(root, part), join(clone, part), "junction");
  for (const file of ["package.json", "package-lock.json", "electron.vite.config.ts"])
    cpSync(join(root, file), join(clone, file));
  for (const file of ["build.ts", "tools.ts", "licences.ts", "programs.ts"])
    cpSync(join(root, "scripts", file), join(clone, "scripts", file), { recursive: true });
  const bundler = join(clone, "node_modules", "electron-vite");
  mkdirSync(bundler, { recursive: true });
  writeFileSync(join(bundler, "package.json"), '{ "type": "module", "bin": "bundler.js" }');
  writeFileSync(join(bundler, "bundler.js"), BUNDLER);
  const calls = (): number =>
    existsSync(join(clone, "calls")) ? readFileSync(join(clone, "calls"), "utf8").length : 0;
  const build = () => {
    const child = spawn(process.execPath, [join(clone, "scripts", "build.ts")], { cwd: clone });
    const started = { child, said: "", ended: once(child, "close") };
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => void (started.said += text));
    return started;
  };
  const first = build();
  await expect.poll(calls).toBe(1);
  const second = build();
  await expect.poll(() => calls() === 2 || second.said.includes("waiting for its end")).toBe(true);
  writeFileSync(join(clone, "go"), "");
  await Promise.all([first.ended, second.ended]);
  expect([first.child.exitCode, second.child.exitCode, calls()]).toEqual([0, 0, 1]);
  expect(first.said).toBe("Built into out/.\n");
  expect(second.said).toContain("out/ is up to date.");
  expect(existsSync(join(clone, "out", ".building"))).toBe(false);
});
