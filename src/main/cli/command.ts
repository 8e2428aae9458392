import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import type { Result } from "#shared/service/error.ts";
import type { ExitCode } from "./exit.ts";
import { withListedStations } from "./options/stationLists.ts";
import type { Shell } from "./shell.ts";

/** A parsed argument, or a sentence about what was expected. */
export type Parsed<T> = Result<T, string>;

/** An argument or option whose text is more than a text. `T` is the type of its value. */
export interface Word<T> {
  readonly meaning: string;
  readonly parse?: (text: string) => Parsed<unknown>;
  readonly choices?: readonly string[];
  /** As typed. */
  readonly byDefault?: string;
  readonly shownDefault?: string;
  readonly isRequired?: true;
  readonly isRepeatable?: true;
  readonly type?: T;
}

/** Arguments (`<name>`) and options (`--name <value>`) of a command in the form of Commander, and what each means. */
type Words = Readonly<Record<string, string | Word<unknown>>>;

/** An argument or option that a parser reads; with a default, the value is always there. */
export function read<T>(meaning: string, parse: (text: string) => Parsed<T>): Word<T | undefined>;
export function read<T>(
  meaning: string,
  parse: (text: string) => Parsed<T>,
  byDefault: string,
  shownDefault?: string,
): Word<T>;
export function read(
  meaning: string,
  parse: (text: string) => Parsed<unknown>,
  byDefault?: string,
  shownDefault = byDefault,
): Word<unknown> {
  return byDefault === undefined ? { meaning, parse } : { meaning, parse, byDefault, shownDefault: shownDefault ?? "" };
}

/** An option that can be given several times. */
export function repeatable<T>(meaning: string, parse: (text: string) => Parsed<T>): Word<readonly T[] | undefined> {
  return { meaning, parse, isRepeatable: true };
}

/** One of a set of texts. */
export function choice<C extends string>(meaning: string, choices: readonly C[]): Word<C | undefined>;
export function choice<C extends string>(meaning: string, choices: readonly C[], byDefault: NoInfer<C>): Word<C>;
export function choice(meaning: string, choices: readonly string[], byDefault?: string): Word<unknown> {
  return { meaning, choices, ...(byDefault === undefined ? {} : { byDefault }) };
}

/** An option that must be given. */
export function required(meaning: string): Word<string>;
export function required<T>(word: Word<T>): Word<NonNullable<T>>;
export function required(word: string | Word<unknown>): Word<unknown> {
  return { ...(typeof word === "string" ? { meaning: word } : word), isRequired: true };
}

type Camel<S extends string> = S extends `${infer A}-${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S;

type NameOf<F> = F extends `--no-${infer N}`
  ? Camel<N>
  : F extends `--${infer N} ${string}` | `--${infer N}`
    ? Camel<N>
    : F extends `<${infer N}...>` | `[${infer N}...]`
      ? N
      : F extends `<${infer N}>` | `[${infer N}]`
        ? N
        : never;

type ValueOf<F, W> =
  W extends Word<infer T>
    ? T
    : F extends `--no-${string}`
      ? boolean
      : F extends `--${string}...>`
        ? string[] | undefined
        : F extends `${string}...${string}`
          ? string[]
          : F extends `--${string}<${string}`
            ? string | undefined
            : F extends `--${string}[${string}`
              ? string | true | undefined
              : F extends `--${string}`
                ? true | undefined
                : F extends `<${string}`
                  ? string
                  : string | undefined;

/** The values of words, by their names: `readonly allowIncomplete: true | undefined` for `--allow-incomplete`. */
export type Values<W> = { readonly [F in keyof W as NameOf<F>]: ValueOf<F, W[F]> };

/** Runs the action of a command with a shell, which it closes afterwards. */
export type Run = (action: (shell: Shell) => Promise<ExitCode | void>) => Promise<void>;

/** Gives a command its description, words, action and commands. */
export type Declare = (command: Command, run: Run) => void;

interface CommandForm<W> {
  readonly description: string;
  readonly words?: W;
  /** Commands without “zenith”, each with its meaning. */
  readonly examples?: readonly (readonly [command: string, meaning: string])[];
  /** Its commands by name. */
  readonly commands?: Readonly<Record<string, Declare>>;
  /** Which of its commands runs if none is named. */
  readonly byDefault?: string;
  run?(shell: Shell, values: Values<W>, command: Command): Promise<ExitCode | void>;
}

/** Declares a command: which words it takes, and what it does with them. */
export function command<W extends Words = {}>(form: CommandForm<W>): Declare {
  const { description, words = {}, examples, commands = {}, byDefault } = form;
  return (declared, run) => {
    declared.description(description);
    addWords(declared, words);
    if (examples) declared.addHelpText("after", exampleText(examples));
    for (const [name, declare] of Object.entries(commands))
      declare(declared.command(name, { isDefault: name === byDefault }), run);
    if (!form.run) return;
    declared.action((...given: unknown[]) => {
      const values = { ...declared.opts() };
      for (const [i, argument] of declared.registeredArguments.entries()) values[argument.name()] = given[i];
      return run(async (shell) => form.run?.(shell, (await withListedStations(values)) as Values<W>, declared));
    });
  };
}

/** What declares those commands that are not declared yet. */
const undeclared = new WeakMap<Command, () => Promise<void>>();

/** Lets a command be declared when it is called: a program need not import the files of all its commands. */
export function declareWhenCalled(command: Command, load: () => Promise<Declare>, run: Run): void {
  undeclared.set(command, async () => (await load())(command, run));
}

export async function ensureDeclared(command: Command): Promise<void> {
  const declare = undeclared.get(command);
  undeclared.delete(command);
  await declare?.();
}

/** For what describes all commands of a program. */
export async function ensureAllDeclared(program: Command): Promise<void> {
  await Promise.all(program.commands.map(ensureDeclared));
}

/** Adds arguments and options to a command of Commander. */
export function addWords(command: Command, words: Words): void {
  for (const [flags, word] of Object.entries(words))
    addWord(command, flags, typeof word === "string" ? { meaning: word } : word);
}

function addWord(command: Command, flags: string, word: Word<unknown>): void {
  const { meaning, parse, choices, byDefault, shownDefault, isRepeatable } = word;
  const added = flags.startsWith("-") ? new Option(flags, meaning) : new Argument(flags, meaning);
  if (choices) added.choices(choices);
  const parsed = (text: string): unknown => {
    if (text.trim() === "") throw new InvalidArgumentError("It is empty.");
    const answer = parse ? parse(text) : { ok: true as const, value: text };
    if (answer.ok) return answer.value;
    throw new InvalidArgumentError(answer.error);
  };
  const hasMany = isRepeatable ?? flags.includes("...");
  if (parse || (!choices && /[<[]/.test(flags)))
    added.argParser((text, before) => (hasMany ? [...((before as unknown[]) ?? []), parsed(text)] : parsed(text)));
  if (byDefault !== undefined) added.default(parsed(byDefault), shownDefault);
  // Commander sets this itself only for words that a command has before anything is parsed.
  if (flags.startsWith("--no-")) added.default(true);
  if (added instanceof Argument) command.addArgument(added);
  else command.addOption(word.isRequired ? added.makeOptionMandatory() : added);
}

/** The examples at the end of a command's help, one per line with its meaning. */
function exampleText(examples: readonly (readonly [command: string, meaning: string])[]): string {
  const width = Math.max(...examples.map(([line]) => line.length));
  const shown = examples.map(([line, meaning]) => `  zenith ${line.padEnd(width)}  ${meaning}`.trimEnd());
  return `\nExamples:\n${shown.join("\n")}\n`;
}
