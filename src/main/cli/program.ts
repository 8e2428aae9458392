import { Command } from "commander";
import { addCache } from "./commands/cache.ts";
import { addConnect } from "./commands/connect.ts";
import { addDemo } from "./commands/demo.ts";
import { addExport } from "./commands/export.ts";
import { addExports } from "./commands/exports.ts";
import { addFetch } from "./commands/fetch.ts";
import { addGaps } from "./commands/gaps.ts";
import { addJobs } from "./commands/jobs.ts";
import { addLog } from "./commands/log.ts";
import { addNearest } from "./commands/nearest.ts";
import { addNetworks } from "./commands/networks.ts";
import { addOpen } from "./commands/open.ts";
import { addPlan } from "./commands/plan.ts";
import { addResample } from "./commands/resample.ts";
import { addRestore } from "./commands/restore.ts";
import { addSchedule } from "./commands/schedule.ts";
import { addService } from "./commands/service.ts";
import { addSession } from "./commands/session.ts";
import { addStation } from "./commands/station.ts";
import { addStations } from "./commands/stations.ts";
import { addVersion } from "./commands/version.ts";
import { addWeb } from "./commands/web.ts";
import type { AddCommand, Run } from "./commands/types.ts";
import { EXIT_MEANINGS } from "./exit.ts";
import { readWait } from "./options/options.ts";
import { VERSION } from "../program.ts";

const GROUPS: readonly (readonly [heading: string, commands: readonly AddCommand[]])[] = [
  ["From the service to a file:", [addConnect, addStations, addPlan, addFetch, addExport]],
  [
    "And beside that:",
    [
      addStation,
      addNetworks,
      addNearest,
      addResample,
      addGaps,
      addOpen,
      addJobs,
      addExports,
      addSchedule,
      addSession,
      addCache,
      addRestore,
      addLog,
      addVersion,
    ],
  ],
  ["The window, in a browser:", [addWeb]],
  ["Without a service of your own:", [addDemo, addService]],
];

/** The command line as a whole. Help goes to stdout with exit code 0; what is wrong with the words, to stderr with 2. */
export function createProgram(run: Run): Command {
  const program = new Command("zenith")
    .description(
      "Zenith tropospheric delay, water vapour and satellite tracking data from a GNSS measurement service, kept in a local " +
        "cache and written as files. All times are UTC; a range includes its start and not its end. Delays and water vapour " +
        "are in mm, heights in m, angles in degrees, C/N0 in dB-Hz.",
    )
    .option("--connection <name>", "which connection (default: the only one); “demo” is the embedded service")
    .option(
      "--data-folder <folder>",
      "where connections, keys and caches lie (default: ZENITH_HOME, or the system's place)",
    )
    .option("--key-file <file>", "a file of mode 0600 with the API key, for this run and for connect")
    .option(
      "--wait-for-service <duration>",
      "how long an outage of the service is waited for, from its first failure: 30s, 10m, 2h; 0 for not at all (default: 10m)",
      readWait,
    )
    .option("--json", "for machines: one JSON document on stdout, JSON lines (progress, warnings, errors) on stderr")
    .option("--quiet", "no notes and no progress")
    .version(VERSION, "--version", "the version of this program")
    .configureHelp({ showGlobalOptions: true, helpWidth: helpWidth() })
    .exitOverride()
    .showHelpAfterError("(--help shows how)")
    .helpCommand("help [command]", "the same as --help of the command")
    .addHelpText("after", FOOTER);
  for (const [heading, commands] of GROUPS) {
    program.commandsGroup(heading);
    for (const add of commands) add(program, run);
  }
  return program;
}

function helpWidth(): number {
  return Math.min(110, process.stdout.columns || 100);
}

const FOOTER = `
The way:
  zenith connect https://gnss.example.org                     an address and a key, once
  zenith stations --country FI                                which stations there are
  zenith plan Kallio --month 2026-10                          what it will cost
  zenith fetch Kallio --month 2026-10                         bring it; type it again, and nothing is sent
  zenith export Kallio --month 2026-10 --out kallio.nc        a file for your own tools
or, to see all of it with simulated data: zenith demo

The API key comes from ZENITH_API_KEY, from --key-file, or is asked for; it is never an argument.

Ctrl+C stops a command cleanly; of a download, everything that arrived is kept. A second one ends it at once.

With --json, stdout is one JSON document (names as in the service, times in ISO 8601 UTC, null where there is
no value) and stderr has an object a line: its “event” is progress, note, warning or error (with exit_code).

Exit codes:
${EXIT_MEANINGS.map(([code, meaning]) => `  ${String(code).padStart(3)}  ${meaning}`).join("\n")}
`;
