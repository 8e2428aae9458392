import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import {
  createOpenFileQueue,
  filesOfCommandLine,
  folderOfCommandLine,
  switchesOf,
  commandArguments,
} from "../../src/main/electron/openedFiles.ts";

describe("the files of a command line", () => {
  it.each([
    ["a path", ["/opt/zenith-desk", "/data/a.nc"], ["/data/a.nc"]],
    ["a path from where the user is", ["zenith-desk", "b.CSV", "../c.zenith"], ["/home/u/b.CSV", "/home/c.zenith"]],
    ["an address, as file managers give it", ["zenith-desk", pathToFileURL("/data/Ä x.nc").href], ["/data/Ä x.nc"]],
    [
      "several, among switches of Chromium",
      ["e", "--no-sandbox", "a.nc", "--x=/y.nc", "b.nc4"],
      ["/home/u/a.nc", "/home/u/b.nc4"],
    ],
    [
      "of every kind that opens",
      ["e", "a.tro", "b.parquet", "c.sqlite", "d.H5", "e.db", "f.zenith", "g.txt", "h.doc"],
      ["a.tro", "b.parquet", "c.sqlite", "d.H5", "e.db", "f.zenith", "g.txt"].map((name) => `/home/u/${name}`),
    ],
    ["none where only the program is named", ["/data/a.nc"], []],
    ["none of an address of another computer", ["e", "file://elsewhere/a.nc", "https://example.org/a.nc"], []],
    ["nothing of the program itself", ["electron", ".", "out/main/main.js", "/etc/passwd"], []],
    ["nothing that is damaged", ["e", "file:///%E0%A4%A.nc", "file:///a%00.nc"], []],
  ])("are %s", (_, argv, files) => {
    expect(filesOfCommandLine(argv, "/home/u")).toEqual(files.map((path) => resolve(path)));
  });
});

function named(...argv: string[]): string | null {
  return folderOfCommandLine(["zenith-desk", ...argv], "/home/u");
}

it("reads the data folder of a command line", () => {
  expect(named("--x", "--data-folder", "d")).toBe(resolve("/home/u/d"));
  expect(named("--data-folder=/srv/d", "a.nc")).toBe(resolve("/srv/d"));
  for (const argv of [[], ["--data-folder"], ["--data-folder="], ["--data-folders", "/d"]])
    expect(named(...argv)).toBeNull();
});

it("tells a command from the wish for a window", () => {
  const words = ["zenith-desk", "--disable-gpu", "--cli", "--", "fetch", "--", "--cli"];
  expect(commandArguments(words)).toEqual(["fetch", "--", "--cli"]);
  expect(commandArguments(["zenith-desk", "--cli", "--"])).toEqual([]);
  for (const argv of [["zenith-desk"], ["zenith-desk", "--cli"], ["zenith-desk", "--", "--cli", "--"], ["--cli"]])
    expect(commandArguments(argv)).toBeNull();
});

it("keeps of a command line what another start needs", () => {
  expect(switchesOf(["e", "--no-sandbox", "/data/a.nc", "--data-folder", "/d", "b.zenith"])).toEqual([
    "--no-sandbox",
    "--data-folder",
    "/d",
  ]);
});

it("keeps the files that come before anybody takes them", () => {
  const inlet = createOpenFileQueue();
  const taken: (readonly string[])[] = [];
  inlet.put(["a.nc"]);
  inlet.put([]);
  inlet.put(["b.nc"]);
  inlet.follow((paths) => taken.push(paths));
  inlet.put(["c.nc"]);
  expect(taken).toEqual([["a.nc", "b.nc"], ["c.nc"]]);
});
