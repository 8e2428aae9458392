import type { Command } from "commander";
import { stationLabels } from "#shared/service/catalogue.ts";
import { groupNamed, type StationGroup } from "#shared/station/group.ts";
import type { OpenConnection } from "../../app/connections/connections.ts";
import { usage } from "../exit.ts";
import { STATION_WORDS } from "../options/options.ts";
import { namedStations, usableCatalogue } from "../options/selection.ts";
import type { Shell } from "../shell.ts";
import { right, shrinking } from "../terminal/table.ts";
import { count, many, visible } from "../terminal/text.ts";
import { type AddCommand, examples, type Run } from "./types.ts";

export const addGroup: AddCommand = (program, run) => {
  const command = program
    .command("group")
    .summary("named groups of stations: list, add, remove")
    .description(
      "Named groups of stations of a connection, which the window shows too. “group:NAME” stands for their stations.",
    )
    .addHelpText(
      "after",
      examples(
        ["group add Alps country:AT country:CH", "a new one; stations of an existing one are added"],
        ["plan group:Alps --month 2026-10", "use it"],
        ["group remove Alps Kallio", "takes a station out; without stations, deletes the group"],
      ),
    );
  addList(command, run);
  addChange(command, run, "add");
  addChange(command, run, "remove");
};

function addList(command: Command, run: Run): void {
  command
    .command("list", { isDefault: true })
    .description("Lists the groups and their stations.")
    .action(
      run(async (shell) => {
        const connection = await shell.connection();
        const names = stationLabels(connection.cache.catalogue());
        const groups = (connection.groups?.() ?? []).map(({ name, stationIds }) => ({ name, stationIds }));
        shell.output.document("group list", { groups });
        const rows = groups.map(({ name, stationIds }) => [
          visible(name),
          count(stationIds.length),
          visible(stationIds.map((id) => names.get(id) ?? id).join(", ")),
        ]);
        const columns = ["Group", right("Stations"), shrinking("Names")];
        if (rows.length === 0) shell.output.print("There is no group yet.");
        else shell.output.table(columns, rows);
      }),
    );
}

function addChange(command: Command, run: Run, kind: "add" | "remove"): void {
  const isAdd = kind === "add";
  command
    .command(kind)
    .argument("<name>", "of the group")
    .argument(isAdd ? "<stations...>" : "[stations...]", STATION_WORDS)
    .description(
      isAdd
        ? "Adds stations to a group, which is created if it does not exist."
        : "Removes stations from a group, or the group.",
    )
    .action(
      run(async (shell, name: string, words: string[]) => {
        const connection = await shell.connection();
        const before = groupNamed(connection.groups?.() ?? [], name);
        if (!isAdd && !before) throw usage(`There is no group “${name}” of stations of this connection.`);
        const catalogue = await usableCatalogue(shell, connection, words);
        const ids = namedStations(connection, catalogue, words).map((station) => station.id);
        const stationIds = isAdd
          ? [...new Set([...(before?.stationIds ?? []), ...ids])]
          : (before?.stationIds ?? []).filter((id) => words.length > 0 && !ids.includes(id));
        const after = { connectionId: connection.record.id, name: before?.name ?? name.trim(), stationIds };
        await store(shell, connection, before, stationIds.length === 0 ? null : after);
        shell.output.document("group change", { name: after.name, stationIds });
        shell.output.print(
          stationIds.length === 0
            ? `Removed “${after.name}”.`
            : `“${after.name}” has ${many(stationIds.length, "station")}.`,
        );
      }),
    );
}

async function store(
  shell: Shell,
  { record }: OpenConnection,
  before: StationGroup | undefined,
  after: StationGroup | null,
): Promise<void> {
  const app = await shell.app();
  app.settings.changeGroups(before ? [{ ...before, connectionId: record.id }] : [], after === null ? [] : [after]);
}
