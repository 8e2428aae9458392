import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { allowedAddress } from "#shared/addresses.ts";
import { anchorOf, CONTENTS, PAGE_IDS } from "#renderer/features/guide/pages.ts";
import { allOf, readBook, ROOT } from "./book.ts";

const book = readBook();
const pages = book.filter(({ id }) => id !== "README");
const headingsOf = (prose: string): readonly string[] => allOf(prose, /^#{2,3} (.+)$/gm);

function exists(target: string, from: string): boolean {
  if (target.startsWith("https://")) return allowedAddress(target) !== null;
  const [file, anchor] = target.split("#") as [string, string | undefined];
  const page = book.find((one) => `${one.id}.md` === (file || `${from}.md`));
  return page !== undefined && (anchor === undefined || headingsOf(page.prose).map(anchorOf).includes(anchor));
}

/** The window reserves space for pictures of one size before they load, and shows the picture of its theme. */
function problemsWith(source: string): readonly string[] {
  if (!/^\.\.\/pictures\/[a-z-]+-light-1024\.png$/.test(source)) return [`${source}: named otherwise`];
  return ["light", "dark"].flatMap((theme) => {
    const path = join(ROOT, "docs", "guide", source.replace("-light-", `-${theme}-`));
    if (!existsSync(path)) return [`${path} does not exist`];
    // Width and height are at fixed offsets of a PNG.
    const png = readFileSync(path);
    const size = `${png.readUInt32BE(16)}×${png.readUInt32BE(20)}`;
    return size === "1024×700" ? [] : [`${path} is ${size}`];
  });
}

/** Links of the window into the guide, written like links between pages. */
function linksOfWindow(): readonly string[] {
  const folder = join(ROOT, "src", "renderer");
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".tsx"))
    .flatMap((name) => [
      ...readFileSync(join(folder, name), "utf8").matchAll(/<GuideLink page="(.+?)"(?: anchor="(.+?)")?/g),
    ])
    .map(([, page, anchor]) => `${page}.md${anchor === undefined ? "" : `#${anchor}`}`);
}

it("links of the window lead to existing pages and headings", () => {
  const links = linksOfWindow();
  expect(links.length).toBeGreaterThan(1);
  expect(links.filter((link) => !exists(link, ""))).toEqual([]);
});

describe("pages of the guide", () => {
  it("are the pages of the table of contents", () => {
    expect(pages.map(({ id }) => id).toSorted()).toEqual([...PAGE_IDS].toSorted());
    expect(new Set(PAGE_IDS).size).toBe(PAGE_IDS.length);
  });

  it("are listed in the README of the guide, in the order of the window", () => {
    const list = book.find(({ id }) => id === "README")!.text;
    const wanted = CONTENTS.flatMap(({ title, pages }) => [title, ...pages]);
    expect(allOf(list, /^(?:## (?=.+)|- \[.+\]\()(.+?)(?:\.md\))?$/gm)).toEqual(wanted);
    for (const { id, text } of pages) expect(list).toContain(`- [${text.split("\n")[0]!.slice(2)}](${id}.md)`);
  });

  it.each(pages)("$id begins with its title and has unique headings", ({ text, prose }) => {
    expect(text).toMatch(/^# \S/);
    expect(allOf(prose, /^# (.+)$/gm)).toHaveLength(1);
    const anchors = headingsOf(prose).map(anchorOf);
    expect(new Set(anchors).size).toBe(anchors.length);
  });

  it.each(book)("$id links only to existing targets", ({ id, prose }) => {
    const targets = allOf(prose, /(?<!!)\[[^\]]*\]\(([^)]+)\)/g);
    expect(targets.filter((target) => !exists(target, id))).toEqual([]);
  });

  it.each(pages)("$id has pictures of the right size in both themes, with alternative texts", ({ prose }) => {
    const pictures = [...prose.matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)];
    expect(pictures.filter(([, words]) => words!.length < 10)).toEqual([]);
    expect(pictures.flatMap(([, , source]) => problemsWith(source!))).toEqual([]);
  });
});
