import { savedRangeText } from "#shared/file/savedExport.ts";
import { formatRange } from "#shared/time/range.ts";
import { command } from "../command.ts";
import { orStop } from "../shell.ts";
import { right, shrinking } from "../terminal/table.ts";
import { seriesText, visible } from "../terminal/text.ts";

const addList = command({
  description: "Lists the saved exports.",
  async run(shell) {
    const app = await shell.app();
    const exports = app.savedExports.list().map(({ connectionId, ...saved }) => ({
      ...saved,
      connection: app.connections.find(connectionId)?.name ?? "(removed)",
    }));
    shell.output.document("exports list", { exports });
    for (const name of app.savedExports.unreadable())
      shell.output.warn(visible(app.savedExports.unreadableWords(name)));
    shell.output.table(
      exports,
      {
        Name: (saved) => saved.name,
        Connection: shrinking((saved) => saved.connection),
        Stations: right((saved) => String(saved.stationIds.length)),
        Variables: shrinking(seriesText),
        Range: (saved) => savedRangeText(saved.range, formatRange),
        Format: (saved) => saved.format,
      },
      "There are no saved exports. Save one in the export dialog of the window.",
    );
  },
});

const addRemove = command({
  description: "Deletes a saved export. Files that it wrote stay.",
  words: { "<name>": "its name, as listed by “exports”" },
  async run(shell, { name }) {
    const { savedExports } = await shell.app();
    if (!savedExports.remove(name)) orStop(savedExports.find(name));
    shell.output.document("exports remove", { removed: name });
    shell.output.print(`Removed “${visible(name)}”.`);
  },
});

export const addExports = command({
  description:
    "Lists the exports saved in the window's export dialog: stations, variables, range, format and file-name " +
    "template. “export --repeat NAME” runs one again.",
  examples: [
    ["exports", "lists them"],
    ['export --repeat "Daily Kallio" --fetch --out /data', "as a cron job"],
    ['exports remove "Daily Kallio"', "delete one; files stay"],
  ],
  byDefault: "list",
  commands: { list: addList, remove: addRemove },
});
