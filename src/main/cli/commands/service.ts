import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { InvalidArgumentError } from "commander";
import { asFormatError } from "#formats/error.ts";
import { EXIT, Stop, usage } from "../exit.ts";
import { invocation, userPath } from "../options/options.ts";
import { listenStop, portNumber } from "../port.ts";
import { right } from "../terminal/table.ts";
import { count, many } from "../terminal/text.ts";
import { type AddCommand, examples } from "./types.ts";

interface ServiceWords {
  readonly port?: number;
  readonly host?: string;
  readonly config?: string;
  readonly stations?: number;
}

export const addService: AddCommand = (program, run) => {
  program
    .command("service")
    .summary("run the reference service on this computer")
    .description(
      "Runs a complete measurement service on this computer, with simulated stations and observations, for trials, " +
        "teaching and tests. It has three organizations with different rights and limits; their keys are public " +
        "examples. ",
    )
    .option("--port <number>", "0 selects a free one (default: 8470)", portNumber)
    .option("--host <address>", "address to listen on (default: 127.0.0.1, this computer only)")
    .option("--config <file>", "JSON file: organizations, limits, faults, seed, … (docs/service.md)")
    .option("--stations <number>", "number of stations; thousands can be simulated (default: 67)", stationNumber)
    .addHelpText(
      "after",
      examples(
        ["service --port 0", "any free port"],
        ["service --stations 5000", "a large catalogue"],
        ["service --config faults.json", "with simulated faults"],
      ),
    )
    .action(
      run(async (shell, options: ServiceWords) => {
        const { serve } = await import("../../demo/serve.ts");
        const started = await serve({
          port: options.port ?? null,
          host: options.host ?? null,
          stations: options.stations ?? null,
          configText: options.config === undefined ? null : await textOf(userPath(options.config)),
        }).catch((reason: unknown) => {
          throw listenStop(reason);
        });
        if (!started.ok) throw usage(started.error);
        const { url, stations, organizations, close } = started.value;
        const { output, signal } = shell;
        output.document("service", { url, stations, organizations });
        output.print(`The reference service is at ${url} with ${many(stations, "station")}.`);
        const rows = organizations.map((o) => [
          o.name,
          o.exampleKey ?? "(in the configuration)",
          o.maxPoints === null ? "no limit" : count(o.maxPoints),
          String(o.maxConcurrent),
        ]);
        const columns = ["Organization", "Key", right("Points per request"), right("At once")];
        output.table(columns, rows);
        const [first] = organizations.filter((o) => o.exampleKey !== null);
        if (first)
          output.note(`Connect: ZENITH_API_KEY=${first.exampleKey} ${invocation()} connect ${url} --name trial`);
        output.note("Ctrl+C stops it.");
        if (!signal.aborted) await once(signal, "abort");
        await close();
      }),
    );
};

const MAX_STATIONS = 100_000;

/** The value of `--stations`. @throws InvalidArgumentError, whose message commander prints */
function stationNumber(text: string): number {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= MAX_STATIONS) return number;
  throw new InvalidArgumentError(`The number of stations must be from 1 to ${count(MAX_STATIONS)}.`);
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (thrown) {
    throw new Stop(EXIT.disk, `The configuration cannot be read. ${asFormatError(thrown, path).message}`, thrown);
  }
}
