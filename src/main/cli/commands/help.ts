import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { defined } from "#shared/defined.ts";
import { nearestName } from "#shared/similarNames.ts";
import { command, ensureAllDeclared } from "../command.ts";
import { usage } from "../exit.ts";

export const addHelp = command({
  description:
    "Shows the help of a command, as --help of the command does, or a page of the user guide. Without a name, lists the commands.",
  words: { "[topic...]": "a command, “guide”, or a page of the guide" },
  examples: [
    ["help export", "the options of a command"],
    ["help guide", "lists the pages of the guide"],
    ["help missing-data", "a page of the guide"],
    ["help guide export", "a page that has the name of a command"],
  ],
  async run({ output }, { topic: words }, { parent }) {
    const program = defined(parent);
    await ensureAllDeclared(program);
    const found = words[0] === "guide" ? undefined : commandOf(program, words);
    if (found) return found.outputHelp();
    const [topic] = words[0] === "guide" ? words.slice(1) : words;
    const pages = pageNames();
    const page = pages.find((name) => name === topic);
    if (topic !== undefined && page === undefined)
      throw usage(
        `There is no command and no topic “${words.join(" ")}”.${meant(program, words, pages)} Topics are ${pages.join(", ")}.`,
      );
    const text = page === undefined ? pages.map((name) => `zenith help guide ${name}`).join("\n") : plainText(page);
    output.document("help", { topics: pages, topic: page ?? null, text });
    output.text(text);
  },
});

/** Names the command or page that was probably meant by the last word, if there is one. */
function meant(program: Command, words: readonly string[], pages: readonly string[]): string {
  const parent = commandOf(program, words.slice(0, -1)) ?? program;
  const name = nearestName(words.at(-1) ?? "", [...parent.commands.map((command) => command.name()), ...pages]);
  return name === null ? "" : ` Did you mean “${name}”?`;
}

function commandOf(program: Command, words: readonly string[]): Command | undefined {
  return words.reduce<Command | undefined>(
    (found, word) => found?.commands.find((command) => command.name() === word),
    program,
  );
}

/** The guide beside the bundles, or in the sources if the program was not built. */
function guideFolder(): string {
  const built = join(import.meta.dirname, "guide");
  return existsSync(built) ? built : join(import.meta.dirname, "..", "..", "..", "..", "docs", "guide");
}

function pageNames(): string[] {
  return readdirSync(guideFolder())
    .filter((name) => name.endsWith(".md") && name !== "README.md")
    .map((name) => name.slice(0, -3))
    .toSorted();
}

/** A page without pictures, and with the words of links only. */
function plainText(name: string): string {
  return readFileSync(join(guideFolder(), `${name}.md`), "utf8")
    .replaceAll(/^!\[.*\n\n?/gm, "")
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    .replaceAll("**", "")
    .trimEnd();
}
