import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command as CliCommand } from "commander";
import { describe, expect, it } from "vitest";
import { createProgram } from "#main/cli/program.ts";
import { type Command, COMMANDS } from "#shared/commands.ts";
import { isKeys } from "../../src/renderer/features/guide/links.ts";
import { keysOf } from "../../src/renderer/features/shell/keys.ts";
import { allOf, readBook, ROOT } from "./book.ts";

const book = readBook();

/** What can be read on the screen stands somewhere in the sources of the page, or in the words that it shares. */
const screen = ["renderer", "shared"]
  .flatMap((folder) => {
    const at = join(ROOT, "src", folder);
    return readdirSync(at, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name) && !name.includes("guide"))
      .map((name) => readFileSync(join(at, name), "utf8"));
  })
  .join("\n")
  .replaceAll(/\s+/g, " ");

/** Keys that belong to what has the focus, or to the guide itself, a terminal, or the map: they are no commands. */
const IN_PLACE = [
  "Esc",
  "Enter",
  "Space",
  "Home",
  "End",
  "Page Up",
  "Page Down",
  "Shift F10",
  "Ctrl",
  "Shift",
  "Ctrl A",
  "Ctrl C",
  "0",
];
const ARROWS = /^(?:Shift |Alt )?[←→↑↓]$/;
const known = new Set([...IN_PLACE, ...COMMANDS.flatMap((command: Command) => keysOf(command, false))]);

/** As a text of its own, not as a word of a comment. */
function isOnScreen(words: string): boolean {
  return ['"', "`", ">", "> "].some((before) => {
    const at = screen.indexOf(before + words);
    return at >= 0 && !/\w/.test(screen.charAt(at + before.length + words.length));
  });
}

describe("the words of the guide", () => {
  it.each(book)("$id: what is bold can be read on the screen", ({ prose }) => {
    const bold = allOf(prose, /\*\*([^*]+)\*\*/g);
    expect(bold.filter((words) => !isOnScreen(words))).toEqual([]);
  });

  it.each(book)("$id: every key does something", ({ prose }) => {
    const keys = allOf(prose, /`([^`]+)`/g).filter(isKeys);
    expect(keys.filter((key) => !known.has(key) && !ARROWS.test(key))).toEqual([]);
  });

  it("every command with a key is on the page of keys, under its title", () => {
    const { prose } = book.find(({ id }) => id === "keyboard")!;
    const rows = prose.split("\n").filter((line) => line.startsWith("|"));
    for (const command of COMMANDS as readonly Command[]) {
      const [first] = keysOf(command, false);
      if (first === undefined) continue;
      const row = rows.find((line) => line.includes(`\`${first}\``));
      expect(row, `${first}: ${command.title}`).toContain(command.title);
    }
  });
});

const program = createProgram(() => async () => {});

function all(command: CliCommand): CliCommand[] {
  return [command, ...command.commands.flatMap(all)];
}

function optionsOf(...commands: CliCommand[]): ReadonlySet<string> {
  return new Set([...commands.flatMap((c) => c.options.flatMap((o) => o.long ?? [])), "--help"]);
}

/** What is wrong with words after `zenith`: null where every command and option is one that the program has. */
function problemWith(typed: string): string | null {
  const words = typed.replace(/\s#\s.*$/, "").match(/'[^']*'|"[^"]*"|\S+/g) ?? [];
  let command = program;
  for (const word of words) {
    const next = command.commands.find((c) => c.name() === word);
    if (!next) break;
    command = next;
  }
  if (command === program) return `${typed}: no such command`;
  const options = optionsOf(program, command);
  const unknown = words.filter((w) => w.startsWith("--") && !options.has(w));
  return unknown.length > 0 ? `${typed}: no ${unknown.join(", ")}` : null;
}

describe("the commands of the guide", () => {
  it.each(book)("$id: each can be typed as it stands", ({ prose, code }) => {
    const typed = [
      ...code.flatMap((line) => /^(?:\$ )?zenith (.*)$|zenith -- (.*)$/.exec(line)?.slice(1).find(Boolean) ?? []),
      ...allOf(prose, /`zenith ([a-z][^`]*)`/g),
    ];
    expect(typed.flatMap((line) => problemWith(line) ?? [])).toEqual([]);
  });

  it.each(book)("$id: each option named by itself is one of some command", ({ prose }) => {
    const options = optionsOf(...all(program));
    const named = allOf(prose, /`(--[a-z-]+)[^`]*`/g);
    expect(named.filter((option) => !options.has(option))).toEqual([]);
  });

  it("none is left out", () => {
    const { text } = book.find(({ id }) => id === "command-line")!;
    const missing = program.commands.map((c) => c.name()).filter((name) => !text.includes(`zenith ${name}`));
    expect(missing).toEqual([]);
  });
});
