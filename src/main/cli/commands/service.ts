import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { asFormatError } from "#formats/error.ts";
import { command, read } from "../command.ts";
import { EXIT, Stop, usage } from "../exit.ts";
import { numberIn } from "../options/parse.ts";
import { invocation, userPath } from "../options/paths.ts";
import { listenStop, portWord } from "../options/options.ts";
import { right } from "../terminal/table.ts";
import { count, many } from "../terminal/text.ts";

export const addService = command({
  description:
    "Runs a complete measurement service on this computer, with simulated stations and observations, for trials, " +
    "teaching and tests. It has three organizations with different rights and limits; their keys are public " +
    "examples. ",
  words: {
    ...portWord(8470),
    "--host <address>": "address to listen on (default: 127.0.0.1, this computer only)",
    "--config <file>": "JSON file: organizations, limits, faults, seed, … (docs/service.md)",
    "--stations <number>": read(
      "number of stations; thousands can be simulated (default: 67)",
      numberIn(1, 100_000, { isWhole: true }),
    ),
  },
  examples: [
    ["service --port 0", "any free port"],
    ["service --stations 5000", "a large catalogue"],
    ["service --config faults.json", "with simulated faults"],
  ],
  async run(shell, values) {
    const { serve } = await import("../../demo/serve.ts");
    const started = await serve({
      port: values.port ?? null,
      host: values.host ?? null,
      stations: values.stations ?? null,
      configText: values.config === undefined ? null : await readText(userPath(values.config)),
    }).catch((reason: unknown) => {
      throw listenStop(reason);
    });
    if (!started.ok) throw usage(started.error);
    const { url, stations, organizations, close } = started.value;
    const { output, signal } = shell;
    output.document("service", { url, stations, organizations });
    output.print(`The reference service is at ${url} with ${many(stations, "station")}.`);
    output.table(organizations, {
      Organization: (o) => o.name,
      Key: (o) => o.exampleKey ?? "(in the configuration)",
      "Points per request": right((o) => (o.maxPoints === null ? "no limit" : count(o.maxPoints))),
      "At once": right((o) => String(o.maxConcurrent)),
    });
    const [first] = organizations.filter((o) => o.exampleKey !== null);
    if (first) output.note(`Connect: ZENITH_API_KEY=${first.exampleKey} ${invocation()} connect ${url} --name trial`);
    output.note("Ctrl+C stops it.");
    if (!signal.aborted) await once(signal, "abort");
    await close();
  },
});

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (thrown) {
    throw new Stop(EXIT.disk, `The configuration cannot be read. ${asFormatError(thrown, path).message}`, thrown);
  }
}
