import type { EventEmitter } from "node:events";
import type { Command } from "commander";
import { PROGRAM } from "../../program.ts";
import { EXIT_MEANINGS } from "../exit.ts";
import { summaryOf } from "./words.ts";

/** Manual pages in roff by the name of their file: of the program, and of each of its commands. */
export function manPages(program: Command): ReadonlyMap<string, string> {
  const commands = program.commands.filter((command) => command.name() !== "help");
  const pages = commands.map((command): [string, string] => [
    `zenith-${command.name()}.1`,
    page(`zenith-${command.name()}`, summaryOf(command), [...body(command), ...subcommands(command), SEE_PROGRAM]),
  ]);
  const list = commands.map((command) => item(`zenith-${command.name()}(1)`, summaryOf(command)));
  const codes = EXIT_MEANINGS.map(([code, meaning]) => item(String(code), meaning));
  const main = page("zenith", "download, keep and export GNSS atmospheric measurements", [
    ...body(program),
    section("COMMANDS", list),
    section("EXIT STATUS", codes),
    section(
      "ENVIRONMENT",
      ENVIRONMENT.map(([name, meaning]) => item(name, meaning)),
    ),
  ]);
  return new Map([["zenith.1", main], ...pages]);
}

const ENVIRONMENT = [
  ["ZENITH_API_KEY", "The API key, for this run and for connect."],
  ["ZENITH_HOME", "The data folder, as --data-folder."],
  ["HTTPS_PROXY, HTTP_PROXY, NO_PROXY", "The proxy of connections that have none of their own."],
] as const;

const SEE_PROGRAM = section("SEE ALSO", [
  `.BR zenith (1)\nhas the options of every command, the exit status and the environment.`,
]);

function page(name: string, summary: string, sections: readonly string[]): string {
  const head = `.TH ${escaped(name.toUpperCase())} 1 "" "${escaped(PROGRAM)}" "Zenith Desk"`;
  return `${[head, section("NAME", [`${escaped(name)} \\- ${escaped(summary)}`]), ...sections].join("\n")}\n`;
}

/** Synopsis, description, arguments, options and examples. */
function body(command: Command): string[] {
  const help = command.createHelp();
  const named = help.visibleArguments(command).map((argument) => item(argument.name(), argument.description));
  const options = help
    .visibleOptions(command)
    .map((option) => item(help.optionTerm(option), help.optionDescription(option)));
  const after = textAfter(command);
  return [
    section("SYNOPSIS", [`.B ${escaped(help.commandUsage(command))}`]),
    section("DESCRIPTION", [escaped(command.description())]),
    ...(named.length > 0 ? [section("ARGUMENTS", named)] : []),
    section("OPTIONS", options),
    ...(command.parent && after !== "" ? [section("EXAMPLES", [`.nf\n${escaped(after)}\n.fi`])] : []),
  ];
}

function subcommands(command: Command): string[] {
  const all = command.commands.filter((each) => each.name() !== "help");
  return all.map((each) => {
    const help = each.createHelp();
    const lists = [
      ...help.visibleArguments(each).map((argument) => item(argument.name(), argument.description)),
      ...help.visibleOptions(each).map((option) => item(help.optionTerm(option), help.optionDescription(option))),
    ];
    const parts = [`.B ${escaped(help.commandUsage(each))}`, ".PP", escaped(each.description()), ...lists];
    return `.SH ${escaped(each.name().toUpperCase())}\n${parts.join("\n")}`;
  });
}

/** The examples that a command shows after its help, which Commander keeps as listeners. */
function textAfter(command: Command): string {
  let text = "";
  const listeners = command as unknown as EventEmitter;
  listeners.emit("afterHelp", { error: false, command, write: (piece: string) => (text += piece) });
  return text.replace(/^\s*Examples:\n/, "").trimEnd();
}

function section(title: string, parts: readonly string[]): string {
  return [`.SH ${title}`, ...parts].join("\n");
}

function item(term: string, meaning: string): string {
  return `.TP\n.B ${escaped(term)}\n${escaped(meaning === "" ? "(see above)" : meaning)}`;
}

/** Text of roff in ASCII; a line must not begin with a request, and hyphens can be copied. */
function escaped(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll(/^([.'])/gm, "\\&$1")
    .replaceAll(/[^\p{ASCII}]/gu, (one) => `\\[u${one.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}]`);
}
