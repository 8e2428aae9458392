import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { defined } from "#shared/defined.ts";
import { nearestName } from "#shared/similarNames.ts";
import { choice, command, ensureAllDeclared, required } from "../command.ts";
import { usage } from "../exit.ts";
import { REQUIRED_SYSTEM, VERSION } from "../../program.ts";
import { orStop } from "../shell.ts";
import { completionScript, SHELLS } from "../completion/scripts.ts";
import { commandWords } from "../completion/words.ts";

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

export const addVersion = command({
  description:
    "Shows the version, and which system it needs. With --check, requests the newest release from the release feed over HTTPS, without the key, this " +
    "version or any other data of yours. Without --check, sends nothing. Installs nothing.",
  words: { "--check": "check for a newer version" },
  examples: [
    ["version", ""],
    ["version --check", ""],
  ],
  async run({ output, signal }, { check }) {
    if (!check) {
      output.document("version", { programVersion: VERSION, requires: REQUIRED_SYSTEM });
      return output.print([VERSION, `${REQUIRED_SYSTEM}.`]);
    }
    const { checkReleases } = await import("../../app/releases.ts");
    const { newer, address } = orStop(await checkReleases(undefined, signal));
    output.document("version", { programVersion: VERSION, newer, address });
    if (newer === null) return output.print(`${VERSION} is the newest version.`);
    const published = newer.date === null ? "" : ` of ${newer.date}`;
    output.print([
      `Version ${newer.version}${published} is available at ${address}; this is ${VERSION}.`,
      ...newer.notes.map((note) => `- ${note}`),
    ]);
  },
});

export const addCompletion = command({
  description:
    "Prints a script for a shell, which then completes commands, options and their values when you press Tab. The packages " +
    "for Linux install it.",
  words: { "<shell>": required(choice("the shell", SHELLS)) },
  examples: [
    ["completion bash >> ~/.bashrc", "for bash"],
    ["completion zsh > ~/.zfunc/_zenith", "for zsh, in a folder of fpath"],
    ["completion fish > ~/.config/fish/completions/zenith.fish", "for fish"],
    ["completion powershell >> $PROFILE", "for PowerShell"],
  ],
  async run({ output }, { shell }, { parent }) {
    const program = defined(parent);
    await ensureAllDeclared(program);
    const script = completionScript(shell, commandWords(program));
    output.document("completion", { shell, script });
    output.text(script.trimEnd());
  },
});
