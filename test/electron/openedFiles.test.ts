import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import {
  OpenFileQueue,
  filesOfCommandLine,
  folderOfCommandLine,
  switchesOf,
  commandArguments,
} from "#main/electron/openedFiles.ts";

describe("files of a command line", () => {
  it.each([
    ["a path", ["/opt/zenith-desk", "/data/a.nc"], ["/data/a.nc"]],
    ["relative paths", ["zenith-desk", "b.CSV", "../c.zenith"], ["/home/u/b.CSV", "/home/c.zenith"]],
    ["a file URL of a file manager", ["zenith-desk", pathToFileURL("/data/Ä x.nc").href], ["/data/Ä x.nc"]],
    [
      "several paths among switches of Chromium",
      ["e", "--no-sandbox", "a.nc", "--x=/y.nc", "b.nc4"],
      ["/home/u/a.nc", "/home/u/b.nc4"],
    ],
    [
      "all supported kinds",
      ["e", "a.tro", "b.parquet", "c.sqlite", "d.H5", "e.db", "f.zenith", "g.txt", "h.doc"],
      ["a.tro", "b.parquet", "c.sqlite", "d.H5", "e.db", "f.zenith", "g.txt"].map((name) => `/home/u/${name}`),
    ],
    ["without the program", ["/data/a.nc"], []],
    ["without files of another computer", ["e", "file://elsewhere/a.nc", "https://example.org/a.nc"], []],
    ["without the arguments of Electron", ["electron", ".", "out/main/main.js", "/etc/passwd"], []],
    ["without invalid URLs", ["e", "file:///%E0%A4%A.nc", "file:///a%00.nc"], []],
  ])("are parsed: %s", (_, argv, files) => {
    expect(filesOfCommandLine(argv, "/home/u")).toEqual(files.map((path) => resolve(path)));
  });
});

function named(...argv: string[]): string | null {
  return folderOfCommandLine(["zenith-desk", ...argv], "/home/u");
}

it("the data folder is read from a command line", () => {
  expect(named("--x", "--data-folder", "d")).toBe(resolve("/home/u/d"));
  expect(named("--data-folder=/srv/d", "a.nc")).toBe(resolve("/srv/d"));
  for (const argv of [[], ["--data-folder"], ["--data-folder="], ["--data-folders", "/d"]])
    expect(named(...argv)).toBeNull();
});

it("the arguments of a command are read from a command line with --cli", () => {
  const words = ["zenith-desk", "--disable-gpu", "--cli", "--", "fetch", "--", "--cli"];
  expect(commandArguments(words)).toEqual(["fetch", "--", "--cli"]);
  expect(commandArguments(["zenith-desk", "--cli", "--"])).toEqual([]);
  for (const argv of [["zenith-desk"], ["zenith-desk", "--cli"], ["zenith-desk", "--", "--cli", "--"], ["--cli"]])
    expect(commandArguments(argv)).toBeNull();
});

it("only switches and the data folder are kept for a restart", () => {
  expect(switchesOf(["e", "--no-sandbox", "/data/a.nc", "--data-folder", "/d", "b.zenith"])).toEqual([
    "--no-sandbox",
    "--data-folder",
    "/d",
  ]);
});

it("files are queued until there is a listener", () => {
  const queue = new OpenFileQueue();
  const received: (readonly string[])[] = [];
  queue.put(["a.nc"]);
  queue.put([]);
  queue.put(["b.nc"]);
  queue.follow((paths) => received.push(paths));
  queue.put(["c.nc"]);
  expect(received).toEqual([["a.nc", "b.nc"], ["c.nc"]]);
});
