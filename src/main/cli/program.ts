import { Command } from "commander";
import { success } from "#shared/service/error.ts";
import { addWords, declareWhenCalled, ensureAllDeclared, ensureDeclared, read, type Run } from "./command.ts";
import { COMMANDS } from "./commands/index.ts";
import { EXIT_MEANINGS } from "./exit.ts";
import { parseWait } from "./options/options.ts";
import { VERSION } from "../program.ts";

/** The options of `GlobalOptions`. */
const GLOBAL = {
  "--connection <name>": "name of the connection (default: the only one); “demo” is the embedded service",
  "--data-folder <folder>": "folder of connections, keys and caches (default: ZENITH_HOME, or the system's folder)",
  "--key-file <file>": "a file of mode 0600 with the API key, for this run and for connect",
  "--wait-for-service <duration>": read(
    "how long to wait for an unreachable service, from its first failure: 30s, 10m, 2h; 0 for no wait (default: 10m)",
    parseWait,
  ),
  "--json": "for scripts: one JSON document on stdout, JSON lines (progress, warnings, errors) on stderr",
  "--quiet": "prints nothing but errors, and data for programs: --json, --csv, pipes",
  "--csv": "tables as CSV on stdout, all other text on stderr",
  "--columns <list>": read("columns of the table, by their titles: station,latest,id", (text) =>
    success(text.split(",")),
  ),
};

/**
 * Builds the command line. A command is declared when it is called: until then, only its name and summary are known. Help
 * goes to stdout with exit code 0, usage errors to stderr with 2.
 *
 * @param run how commands run; without it, only their words are read
 * @param isJson whether the caller reports usage errors itself, as JSON
 */
export function createProgram(run: Run = async () => {}, isJson = false): Command {
  const program: Command = new Command("zenith")
    .description(
      "Zenith tropospheric delay, water vapour and satellite tracking data from a GNSS measurement service, kept in a local " +
        "cache and written as files. All times are UTC; a range includes its start and not its end. Delays and water vapour " +
        "are in mm, heights in m, angles in degrees, C/N0 in dB-Hz.",
    )
    .version(VERSION, "--version", "show the version")
    .configureHelp({ showGlobalOptions: true, helpWidth: helpWidth() })
    .exitOverride()
    .showHelpAfterError("(see --help)")
    .configureOutput({ writeErr: (text) => void (isJson || process.stderr.write(text)) })
    .helpCommand(false)
    .addHelpText("beforeAll", () => refuseUnknown(program))
    .addHelpText("after", FOOTER);
  addWords(program, GLOBAL);
  for (const [heading, commands] of Object.entries(COMMANDS)) {
    program.commandsGroup(heading);
    for (const [name, { summary, load }] of Object.entries(commands))
      declareWhenCalled(program.command(name).summary(summary), load, run);
  }
  return program.hook("preSubcommand", (_, called) => ensureDeclared(called));
}

/** The command line with all commands declared, for what describes them. */
export async function createWholeProgram(): Promise<Command> {
  const program = createProgram();
  await ensureAllDeclared(program);
  return program;
}

/** Reports an unknown command before a help that is requested for it, which Commander would show without a word on it. */
function refuseUnknown(program: Command): string {
  let command = program;
  for (const word of program.args.filter((each) => each !== "help")) {
    if (word.startsWith("-") || command.commands.length === 0) break;
    const next = command.commands.find((each) => each.name() === word);
    if (!next) reportUnknown(word, command);
    else command = next;
  }
  return "";
}

/** Reports as without a request for help: by a parent of the same names, which has no default command to run. */
function reportUnknown(word: string, parent: Command): void {
  const names = new Command().copyInheritedSettings(parent);
  for (const command of parent.commands) names.addCommand(new Command(command.name()));
  names.parse([word], { from: "user" });
}

function helpWidth(): number {
  return Math.min(110, process.stdout.columns || 100);
}

const FOOTER = `
First steps:
  zenith connect https://gnss.example.org                     enter an address and a key, once
  zenith stations --country FI                                list stations
  zenith plan Kallio --month 2026-10                          show the cost
  zenith fetch Kallio --month 2026-10                         download; a repetition sends nothing
  zenith export Kallio --month 2026-10 --out kallio.nc        write a file for other tools
Or try everything with simulated data: zenith demo

The API key comes from ZENITH_API_KEY, from --key-file, or from a prompt; it is never an argument.

Ctrl+C stops a command cleanly; a download keeps all received data. A second Ctrl+C stops it at once.

With --json, stdout is one JSON document (names as in the service, times in ISO 8601 UTC, null where there is
no value) and stderr has one object per line: its “event” is progress, note, warning or error (with exit_code).

Exit codes:
${EXIT_MEANINGS.map(([code, meaning]) => `  ${String(code).padStart(3)}  ${meaning}`).join("\n")}
`;
