import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { allowedAddress } from "#shared/addresses.ts";
import { CONTENTS, PAGE_IDS } from "../../src/renderer/features/guide/contents.ts";
import { anchorOf } from "../../src/renderer/features/guide/sections.ts";
import { allOf, readBook, ROOT } from "./book.ts";

const book = readBook();
const pages = book.filter(({ id }) => id !== "README");
const headingsOf = (prose: string): readonly string[] => allOf(prose, /^#{2,3} (.+)$/gm);

function isThere(target: string, from: string): boolean {
  if (target.startsWith("https://")) return allowedAddress(target) !== null;
  const [file, anchor] = target.split("#") as [string, string | undefined];
  const page = book.find((one) => `${one.id}.md` === (file || `${from}.md`));
  return page !== undefined && (anchor === undefined || headingsOf(page.prose).map(anchorOf).includes(anchor));
}

/** The window leaves room for pictures of one size before they are there, and shows that of its theme. */
function problemsWith(source: string): readonly string[] {
  if (!/^\.\.\/pictures\/[a-z-]+-light-1024\.png$/.test(source)) return [`${source}: named otherwise`];
  return ["light", "dark"].flatMap((theme) => {
    const path = join(ROOT, "docs", "guide", source.replace("-light-", `-${theme}-`));
    if (!existsSync(path)) return [`${path} is not there`];
    // Width and height stand at fixed places of a PNG.
    const png = readFileSync(path);
    const size = `${png.readUInt32BE(16)}×${png.readUInt32BE(20)}`;
    return size === "1024×700" ? [] : [`${path} is ${size}`];
  });
}

/** Each place in the window that leads into the guide, as a link of a page would be written. */
function linksOfTheWindow(): readonly string[] {
  const folder = join(ROOT, "src", "renderer");
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".tsx"))
    .flatMap((name) => [
      ...readFileSync(join(folder, name), "utf8").matchAll(/<GuideLink page="(.+?)"(?: anchor="(.+?)")?/g),
    ])
    .map(([, page, anchor]) => `${page}.md${anchor === undefined ? "" : `#${anchor}`}`);
}

it("places of the window lead to what is there", () => {
  const links = linksOfTheWindow();
  expect(links.length).toBeGreaterThan(1);
  expect(links.filter((link) => !isThere(link, ""))).toEqual([]);
});

describe("the pages", () => {
  it("are all in the contents, and all that is in the contents is a page", () => {
    expect(pages.map(({ id }) => id).toSorted()).toEqual([...PAGE_IDS].toSorted());
    expect(new Set(PAGE_IDS).size).toBe(PAGE_IDS.length);
  });

  it("are listed where they are read on the web, as in the window", () => {
    const list = book.find(({ id }) => id === "README")!.text;
    const wanted = CONTENTS.flatMap(({ title, pages }) => [title, ...pages]);
    expect(allOf(list, /^(?:## (?=.+)|- \[.+\]\()(.+?)(?:\.md\))?$/gm)).toEqual(wanted);
    for (const { id, text } of pages) expect(list).toContain(`- [${text.split("\n")[0]!.slice(2)}](${id}.md)`);
  });

  it.each(pages)("$id begins with its title, and no two headings share a name", ({ text, prose }) => {
    expect(text).toMatch(/^# \S/);
    expect(allOf(prose, /^# (.+)$/gm)).toHaveLength(1);
    const anchors = headingsOf(prose).map(anchorOf);
    expect(new Set(anchors).size).toBe(anchors.length);
  });

  it.each(book)("$id leads only to what is there", ({ id, prose }) => {
    const targets = allOf(prose, /(?<!!)\[[^\]]*\]\(([^)]+)\)/g);
    expect(targets.filter((target) => !isThere(target, id))).toEqual([]);
  });

  it.each(pages)("$id shows pictures that are there, in both themes and of one size, with words", ({ prose }) => {
    const pictures = [...prose.matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)];
    expect(pictures.filter(([, words]) => words!.length < 10)).toEqual([]);
    expect(pictures.flatMap(([, , source]) => problemsWith(source!))).toEqual([]);
  });
});
