import { basename } from "node:path";
import type { ShareSelection } from "#shared/bridge/methods/views.ts";
import { VIEW_FILE_EXTENSION, withoutFilesSentence } from "#shared/views/file.ts";
import type { OpenConnection } from "../../app/connections/connections.ts";
import { command, type Values } from "../command.ts";
import { usage } from "../exit.ts";
import { assertWritable } from "../export/exporting.ts";
import { RANGE, STATION_WORDS } from "../options/options.ts";
import { parseRange } from "../options/parse.ts";
import { userPath } from "../options/paths.ts";
import { cachedCatalogue, namedStations, noteUnlisted } from "../options/selection.ts";
import { orStop, type Shell } from "../shell.ts";
import { withProgress } from "../terminal/progress.ts";
import { bytes, many, visible } from "../terminal/text.ts";

const addViews = command({
  description: "Lists the saved views.",
  async run(shell) {
    const views = (await shell.app()).sessionFiles.views();
    shell.output.document("session views", {
      views: views.map(({ name, workspace }) => ({ name, ...workspace.range })),
    });
    shell.output.print(
      views.length === 0
        ? "There are no saved views. Save one in the window."
        : views.map(({ name, workspace }) => `${visible(name)}: ${many(workspace.stationIds.length, "station")}`),
    );
  },
});

const SAVE = {
  "<file>": `the file to write; “${VIEW_FILE_EXTENSION}” is added if it is missing`,
  "--views <names...>": "saved views by name (default: all of them, unless --stations is given)",
  "--with-data": "with all cached data of the stations and ranges of the views",
  "--stations <words...>": `with the data of these stations in this range; ${STATION_WORDS}`,
  ...RANGE,
  "--no-satellites": "without satellite data, which are most of the size",
  "--author <name>": "the author, as shown to the colleague",
  "--no-address": "leaves out the address of the service",
  "--force": "replaces an existing file",
};
type SaveValues = Values<typeof SAVE>;

const addSave = command({
  description: "Writes saved views, and optionally their data, to a file.",
  words: SAVE,
  async run(shell, values) {
    const { file } = values;
    const path = userPath(file.toLowerCase().endsWith(VIEW_FILE_EXTENSION) ? file : file + VIEW_FILE_EXTENSION);
    await assertWritable([path], "sqlite", values.force === true);
    const { sessionFiles } = await shell.app();
    const names = values.views ?? (values.stations ? [] : sessionFiles.views().map((view) => view.name));
    const withData = values.withData === true || values.stations !== undefined;
    const written = withData
      ? await saveData(shell, names, values, path)
      : orStop(await sessionFiles.saveViews(names, path));
    shell.output.document("session save", { ...written });
    const data = withData ? ` and the data of ${many(written.stations, "station")}` : "";
    shell.output.print(
      `${path}: ${many(written.views, "view")}${data}, ${bytes(written.bytes)}. The key is not in it.`,
    );
  },
});

async function saveData(shell: Shell, names: readonly string[], values: SaveValues, path: string) {
  const connection = await shell.connection();
  const { sessionFiles } = await shell.app();
  const selection: ShareSelection = {
    names,
    also: alsoOf(shell, connection, values),
    satellites: values.satellites,
  };
  const estimated = orStop(sessionFiles.estimate(connection, selection));
  if (!estimated.hasData) throw usage("No data of these stations are cached in this range. Fetch them first.");
  shell.output.note(`Writes about ${bytes(estimated.bytes)} of ${many(estimated.stations, "station")} …`);
  const about = { author: values.author ?? null, tellsAddress: values.address };
  return withProgress(shell, async (pace) =>
    orStop(await sessionFiles.save(connection, selection, { ...about, path }, pace)),
  );
}

function alsoOf(shell: Shell, connection: OpenConnection, values: SaveValues): ShareSelection["also"] {
  if (!values.stations) return null;
  const range = parseRange(values, connection.session.serverNowMs());
  if (!range.ok) throw usage(range.error);
  const stations = namedStations(connection, cachedCatalogue(shell, connection), values.stations);
  noteUnlisted(shell, connection, values.stations);
  return { stationIds: stations.map((s) => s.id), range: range.value, workspace: null };
}

const addOpenFile = command({
  description: "Adds the views of a file, and its data as a separate connection.",
  words: { "<file>": "a file that a colleague shared" },
  async run(shell, { file }) {
    const path = userPath(file);
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
  },
});

export const addSession = command({
  description:
    "A “.zenith” file contains saved views and, with --with-data, all cached data of their stations and ranges. " +
    "It never contains the API key. A colleague sees the data as a separate read-only connection that sends no " +
    "requests.",
  examples: [
    ["session views", "lists the saved views"],
    ["session save storm.zenith --views Storm", "one view, without data"],
    [
      "session save storm.zenith --views Storm --with-data --author Anna",
      "and including the data of its stations and range",
    ],
    ["session save kallio.zenith --stations Kallio --month 2026-10", "data without a saved view"],
    ["session open storm.zenith", "on the other computer"],
  ],
  commands: { views: addViews, save: addSave, open: addOpenFile },
});
