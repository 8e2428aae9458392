import { basename } from "node:path";
import type { Command } from "commander";
import type { ShareSelection } from "#shared/bridge/methods/views.ts";
import { VIEW_FILE_EXTENSION, withoutFilesSentence } from "#shared/views/file.ts";
import { usage } from "../exit.ts";
import { assertWritable } from "../export/exporting.ts";
import { addRange, STATION_WORDS, userPath } from "../options/options.ts";
import { parseRange, type RangeWords } from "../options/parse.ts";
import { cachedCatalogue, namedStations, noteUnlisted } from "../options/selection.ts";
import { orStop, type Shell } from "../shell.ts";
import { bytes, many, visible } from "../terminal/text.ts";
import { withProgress } from "../terminal/progress.ts";
import { type AddCommand, examples, type Run } from "./types.ts";

interface SaveOptions extends RangeWords {
  readonly views?: string[];
  readonly stations?: string[];
  readonly withData?: boolean;
  readonly satellites: boolean;
  readonly address: boolean;
  readonly author?: string;
  readonly force?: boolean;
}

export const addSession: AddCommand = (program, run) => {
  const command = program
    .command("session")
    .summary("share saved views, optionally with data, as one file; open such a file")
    .description(
      "A “.zenith” file contains saved views and, with --with-data, all cached data of their stations and ranges. " +
        "It never contains the API key. A colleague sees the data as a separate read-only connection that sends no " +
        "requests.",
    )
    .addHelpText(
      "after",
      examples(
        ["session views", "lists the saved views"],
        ["session save storm.zenith --views Storm", "one view, without data"],
        [
          "session save storm.zenith --views Storm --with-data --author Anna",
          "and including the data of its stations and range",
        ],
        ["session save kallio.zenith --stations Kallio --month 2026-10", "data without a saved view"],
        ["session open storm.zenith", "on the other computer"],
      ),
    );
  addViews(command, run);
  addSave(command, run);
  addOpenFile(command, run);
};

function addViews(command: Command, run: Run): void {
  command
    .command("views")
    .description("Lists the saved views.")
    .action(
      run(async (shell) => {
        const views = (await shell.app()).sessionFiles.views();
        shell.output.document("session views", {
          views: views.map(({ name, workspace }) => ({ name, ...workspace.range })),
        });
        shell.output.print(
          views.length === 0
            ? "There are no saved views. Save one in the window."
            : views.map(({ name, workspace }) => `${visible(name)}: ${many(workspace.stationIds.length, "station")}`),
        );
      }),
    );
}

function addSave(command: Command, run: Run): void {
  addRange(
    command
      .command("save")
      .argument("<file>", `the file to write; “${VIEW_FILE_EXTENSION}” is added if it is missing`)
      .description("Writes saved views, and optionally their data, to a file.")
      .option("--views <names...>", "saved views by name (default: all of them, unless --stations is given)")
      .option("--with-data", "with all cached data of the stations and ranges of the views")
      .option("--stations <words...>", `with the data of these stations in this range; ${STATION_WORDS}`),
  )
    .option("--no-satellites", "without satellite data, which are most of the size")
    .option("--author <name>", "the author, as shown to the colleague")
    .option("--no-address", "leaves out the address of the service")
    .option("--force", "replaces an existing file")
    .action(
      run(async (shell, word: string, options: SaveOptions) => {
        const path = userPath(word.toLowerCase().endsWith(VIEW_FILE_EXTENSION) ? word : word + VIEW_FILE_EXTENSION);
        await assertWritable([path], "sqlite", options.force === true);
        const { sessionFiles } = await shell.app();
        const names = options.views ?? (options.stations ? [] : sessionFiles.views().map((view) => view.name));
        const withData = options.withData === true || options.stations !== undefined;
        const written = withData
          ? await saveData(shell, names, options, path)
          : orStop(await sessionFiles.saveViews(names, path));
        shell.output.document("session save", { ...written });
        const data = withData ? ` and the data of ${many(written.stations, "station")}` : "";
        shell.output.print(
          `${path}: ${many(written.views, "view")}${data}, ${bytes(written.bytes)}. The key is not in it.`,
        );
      }),
    );
}

async function saveData(shell: Shell, names: readonly string[], options: SaveOptions, path: string) {
  const connection = await shell.connection();
  const { sessionFiles } = await shell.app();
  const selection: ShareSelection = {
    names,
    also: alsoOf(shell, connection, options),
    satellites: options.satellites,
  };
  const estimated = orStop(sessionFiles.estimate(connection, selection));
  if (!estimated.hasData) throw usage("No data of these stations are cached in this range. Fetch them first.");
  shell.output.note(`Writes about ${bytes(estimated.bytes)} of ${many(estimated.stations, "station")} …`);
  const about = { author: options.author ?? null, tellsAddress: options.address };
  return withProgress(shell, async (pace) =>
    orStop(await sessionFiles.save(connection, selection, { ...about, path }, pace)),
  );
}

function alsoOf(
  shell: Shell,
  connection: Awaited<ReturnType<Shell["connection"]>>,
  options: SaveOptions,
): ShareSelection["also"] {
  if (!options.stations) return null;
  const range = parseRange(options, connection.session.serverNowMs());
  if (!range.ok) throw usage(range.error);
  const stations = namedStations(connection, cachedCatalogue(shell, connection), options.stations);
  noteUnlisted(shell, connection, options.stations);
  return { stationIds: stations.map((s) => s.id), range: range.value, workspace: null };
}

function addOpenFile(command: Command, run: Run): void {
  command
    .command("open")
    .argument("<file>", "a file that a colleague shared")
    .description("Adds the views of a file, and its data as a separate connection.")
    .action(
      run(async (shell: Shell, word: string) => {
        const path = userPath(word);
        const { sessionFiles } = await shell.app({ mayCreate: true });
        const { connection, views, withoutFiles } = await withProgress(shell, async (pace) =>
          orStop(await sessionFiles.open(path, basename(path), pace)),
        );
        if (withoutFiles.length > 0) shell.output.warn(visible(withoutFilesSentence(withoutFiles)));
        shell.output.document("session open", {
          connection: connection?.name ?? null,
          views: views.map((view) => view.name),
          withoutFiles,
        });
        shell.output.print([
          ...(connection ? [`Connection “${visible(connection.name)}”: read-only; it sends no requests.`] : []),
          ...views.map((view) => `View “${visible(view.name)}”`),
        ]);
      }),
    );
}
