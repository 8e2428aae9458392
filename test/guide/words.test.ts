import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command as CliCommand } from "commander";
import { describe, expect, it } from "vitest";
import { createWholeProgram } from "#main/cli/program.ts";
import { type Command, COMMANDS } from "#shared/commands.ts";
import { EXPORT_FORMATS, FORMATS } from "#shared/file/formats.ts";
import { SNIPPET_LANGUAGES, SNIPPET_NAMES, snippetOf } from "#shared/snippets/index.ts";
import { isKeys } from "#renderer/features/guide/pages.ts";
import { keysOf } from "#renderer/features/shell/keys.ts";
import { allOf, readBook, ROOT } from "./book.ts";

const book = readBook();

/** The source code of the window and the shared code, which contain all texts of the screen. */
const sources = ["renderer", "shared"]
  .flatMap((folder) => {
    const at = join(ROOT, "src", folder);
    return readdirSync(at, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name) && !name.includes("guide"))
      .map((name) => readFileSync(join(at, name), "utf8"));
  })
  .join("\n")
  .replaceAll(/\s+/g, " ");

/** Keys of the focused element, the guide, a terminal or the map, which are not commands. */
const LOCAL_KEYS = [
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
const knownKeys = new Set([...LOCAL_KEYS, ...COMMANDS.flatMap((command: Command) => keysOf(command, false))]);

/** Whether the words begin a text, rather than being part of a comment. */
function isOnScreen(words: string): boolean {
  const escaped = words.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`(?:["\`>]|> )${escaped}(?!\\w)`).test(sources);
}

describe("terms of the guide", () => {
  it.each(book)("$id: bold words are texts of the window", ({ prose }) => {
    const bold = allOf(prose, /\*\*([^*]+)\*\*/g);
    expect(bold.filter((words) => !isOnScreen(words))).toEqual([]);
  });

  it.each(book)("$id: every key has a function", ({ prose }) => {
    const keys = allOf(prose, /`([^`]+)`/g).filter(isKeys);
    expect(keys.filter((key) => !knownKeys.has(key) && !ARROWS.test(key))).toEqual([]);
  });

  it("the keyboard page lists every key of every command, with its title", () => {
    const { prose } = book.find(({ id }) => id === "keyboard")!;
    const rows = prose.split("\n").filter((line) => line.startsWith("|"));
    for (const command of COMMANDS as readonly Command[]) {
      for (const key of keysOf(command, false)) {
        // One row says that these keys work with Ctrl, too.
        const shown = key.replace(/^Ctrl (?=[\d[\]]$)/, "");
        const row = rows.find((line) => line.includes(`\`${shown}\``)) ?? `keyboard.md has no row with \`${shown}\``;
        expect(row).toContain(command.title);
        expect(row).toContain(shown === key ? "" : "with `Ctrl` also");
      }
    }
  });
});

const program = await createWholeProgram();

function all(command: CliCommand): CliCommand[] {
  return [command, ...command.commands.flatMap(all)];
}

function optionsOf(...commands: CliCommand[]): ReadonlySet<string> {
  return new Set([...commands.flatMap((c) => c.options.flatMap((o) => o.long ?? [])), "--help"]);
}

/** The problem with the words after `zenith`; null if the program has the command and all options. */
function problemWith(commandLine: string): string | null {
  const words = commandLine.replace(/\s#\s.*$/, "").match(/'[^']*'|"[^"]*"|\S+/g) ?? [];
  let command = program;
  for (const word of words) {
    const next = command.commands.find((c) => c.name() === word);
    if (!next) break;
    command = next;
  }
  if (command === program) return `${commandLine}: no such command`;
  const options = optionsOf(program, command);
  const unknown = words.filter((w) => w.startsWith("--") && !options.has(w));
  return unknown.length > 0 ? `${commandLine}: no ${unknown.join(", ")}` : null;
}

describe("commands of the guide", () => {
  it.each(book)("$id: every command and its options exist", ({ prose, code }) => {
    const lines = [
      ...code.flatMap((line) => /^(?:\$ )?zenith (.*)$|zenith -- (.*)$/.exec(line)?.slice(1).find(Boolean) ?? []),
      ...allOf(prose, /`zenith ([a-z][^`]*)`/g),
    ];
    expect(lines.flatMap((line) => problemWith(line) ?? [])).toEqual([]);
  });

  it.each(book)("$id: every option mentioned alone belongs to a command", ({ prose }) => {
    const options = optionsOf(...all(program));
    const named = allOf(prose, /`(--[a-z-]+)[^`]*`/g);
    expect(named.filter((option) => !options.has(option))).toEqual([]);
  });

  it("the command-line page contains every command", () => {
    const { text } = book.find(({ id }) => id === "command-line")!;
    const missing = program.commands.map((c) => c.name()).filter((name) => !text.includes(`zenith ${name}`));
    expect(missing).toEqual([]);
  });
});

it.each(SNIPPET_LANGUAGES)("the page on programs lists the formats that %s opens", (language) => {
  const { prose } = book.find(({ id }) => id === "python-and-r")!;
  const rows = prose.split("\n").filter((line) => line.startsWith(`| ${SNIPPET_NAMES[language]} |`));
  const words = rows.flatMap((row) => row.split(" | ")[1]!.split(/^all but |[,;] | and /));
  const isAllBut = words[0] === "";
  const named = words.filter((word) => word !== "");
  const isNamed = (name: string): boolean => named.some((word) => name.startsWith(word));
  const listed = EXPORT_FORMATS.filter((format) => isNamed(FORMATS[format].name) !== isAllBut);
  const opened = EXPORT_FORMATS.filter((format) => snippetOf(language, { format, variables: ["ztd"] }, ["a"]) !== null);
  expect(listed).toEqual(opened);
});

it("the page on exports has a row for each format", () => {
  const { text } = book.find(({ id }) => id === "export")!;
  expect(EXPORT_FORMATS.filter((format) => !text.includes(`| \`${format}\` |`))).toEqual([]);
});
