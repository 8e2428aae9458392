import type { Command, Option } from "commander";

/** A word that may follow, and what it does. */
export interface Word {
  readonly word: string;
  readonly about: string;
}

/** What may follow the words of a command. */
export interface CommandWords {
  /** The words of the command, each after a space: ` schedule add`; empty for the program. */
  readonly path: string;
  readonly commands: readonly Word[];
  readonly options: readonly Word[];
  /** The values of options with a fixed set of values. */
  readonly values: Readonly<Record<string, readonly string[]>>;
}

/** The words of all commands, the program first. */
export function commandWords(program: Command, path = "", inherited: readonly Option[] = []): CommandWords[] {
  const options = [...program.options, ...inherited].filter((option) => !option.hidden);
  const commands = program.commands.filter((command) => command.name() !== "help" || path === "");
  const choices = options.flatMap(({ long, argChoices }) => (long && argChoices ? [[long, argChoices] as const] : []));
  const own: CommandWords = {
    path,
    commands: commands.map((command) => ({ word: command.name(), about: summaryOf(command) })),
    options: [
      ...options.map(({ long, short, description }) => ({ word: long ?? short ?? "", about: firstWords(description) })),
      { word: "--help", about: "show help" },
    ],
    values: Object.fromEntries(choices),
  };
  const below = commands.flatMap((command) =>
    commandWords(command, `${path} ${command.name()}`, [...(path === "" ? program.options : inherited)]),
  );
  return [own, ...below];
}

export function summaryOf(command: Command): string {
  return command.summary() || firstWords(command.description());
}

/** The first sentence, short enough for a list. */
function firstWords(text: string): string {
  const [first = ""] = text.split(/[.:;(\n]/, 1);
  return first.trim();
}
