import { savedRangeText } from "#shared/file/savedExport.ts";
import { formatRange } from "#shared/time/range.ts";
import { orStop } from "../shell.ts";
import { right, shrinking } from "../terminal/table.ts";
import { visible, seriesText } from "../terminal/text.ts";
import { type AddCommand, examples } from "./types.ts";

export const addExports: AddCommand = (program, run) => {
  const command = program
    .command("exports")
    .summary("list the exports saved in the window, or delete one")
    .description(
      "Lists the exports saved in the window's export dialog: stations, variables, range, format and file-name " +
        "template. “export --repeat NAME” runs one again.",
    )
    .addHelpText(
      "after",
      examples(
        ["exports", "lists them"],
        ['export --repeat "Daily Kallio" --fetch --out /data', "as a cron job"],
        ['exports remove "Daily Kallio"', "delete one; files stay"],
      ),
    );
  command
    .command("list", { isDefault: true })
    .description("Lists them.")
    .action(
      run(async (shell) => {
        const app = await shell.app();
        const exports = app.savedExports.list().map(({ connectionId, ...saved }) => ({
          ...saved,
          connection: app.connections.find(connectionId)?.name ?? "(removed)",
        }));
        shell.output.document("exports list", { exports });
        for (const name of app.savedExports.unreadable())
          shell.output.warn(
            `The saved export “${visible(name)}” is damaged, or of a newer version, and cannot be used. Delete it with “exports remove”.`,
          );
        const columns = ["Name", shrinking("Connection"), right("Stations"), shrinking("Variables"), "Range", "Format"];
        const rows = exports.map(({ name, connection, stationIds, range, format, ...mode }) => [
          name,
          connection,
          String(stationIds.length),
          seriesText(mode),
          savedRangeText(range, formatRange),
          format,
        ]);
        if (rows.length === 0)
          shell.output.print("There are no saved exports. Save one in the export dialog of the window.");
        else shell.output.table(columns, rows);
      }),
    );
  command
    .command("remove")
    .argument("<name>", "as “exports” lists it")
    .description("Deletes a saved export. Files that it wrote stay.")
    .action(
      run(async (shell, name: string) => {
        const { savedExports } = await shell.app();
        const removed = savedExports.unreadable().includes(name) ? name : orStop(savedExports.find(name)).name;
        savedExports.remove(removed);
        shell.output.document("exports remove", { removed });
        shell.output.print(`Removed “${visible(removed)}”.`);
      }),
    );
};
