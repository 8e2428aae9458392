import { stationLabels } from "#shared/service/catalogue.ts";
import { groupNamed } from "#shared/station/group.ts";
import { command } from "../command.ts";
import { usage } from "../exit.ts";
import { STATION_WORDS, STATIONS } from "../options/options.ts";
import { namedStations, usableCatalogue } from "../options/selection.ts";
import type { Shell } from "../shell.ts";
import { amount, shrinking } from "../terminal/table.ts";
import { many, visible } from "../terminal/text.ts";

const addList = command({
  description: "Lists the groups and their stations.",
  async run(shell) {
    const connection = await shell.connection();
    const names = stationLabels(connection.cache.catalogue());
    const groups = (connection.groups?.() ?? []).map(({ name, stationIds }) => ({ name, stationIds }));
    shell.output.document("group list", { groups });
    shell.output.table(
      groups,
      {
        Group: (group) => visible(group.name),
        Stations: amount((group) => group.stationIds.length),
        Names: shrinking((group) => visible(group.stationIds.map((id) => names.get(id) ?? id).join(", "))),
      },
      "There is no group yet.",
    );
  },
});

interface Change {
  readonly name: string;
  readonly stations: readonly string[];
}

const addAdd = command({
  description: "Adds stations to a group, which is created if it does not exist.",
  words: { "<name>": "of the group", ...STATIONS },
  run: (shell, values) => change(shell, values, (before, ids) => [...new Set([...(before ?? []), ...ids])]),
});

const addRemove = command({
  description: "Removes stations from a group, or the group.",
  words: { "<name>": "of the group", "[stations...]": STATION_WORDS },
  run: (shell, values) =>
    change(shell, values, (before, ids) => {
      if (!before) throw usage(`There is no group “${values.name}” of stations of this connection.`);
      return before.filter((id) => values.stations.length > 0 && !ids.includes(id));
    }),
});

/** Stores the stations that a group has afterwards, or deletes it if there are none. */
async function change(
  shell: Shell,
  { name, stations }: Change,
  after: (before: readonly string[] | undefined, ids: readonly string[]) => readonly string[],
): Promise<void> {
  const connection = await shell.connection();
  const before = groupNamed(connection.groups?.() ?? [], name);
  const catalogue = await usableCatalogue(shell, connection, stations);
  // The id of one that the service removed, as “group list” shows it.
  const removed = stations.filter((word) => before?.stationIds.includes(word));
  const named = stations.filter((word) => !removed.includes(word));
  const ids = [...removed, ...namedStations(connection, catalogue, named).map((station) => station.id)];
  const stationIds = after(before?.stationIds, ids);
  const { id: connectionId } = connection.record;
  const changed = { connectionId, name: before?.name ?? name.trim(), stationIds };
  const { settings } = await shell.app();
  settings.changeGroups(before ? [{ ...before, connectionId }] : [], stationIds.length === 0 ? [] : [changed]);
  shell.output.document("group change", { name: changed.name, stationIds });
  shell.output.print(
    stationIds.length === 0
      ? `Removed “${changed.name}”.`
      : `“${changed.name}” has ${many(stationIds.length, "station")}.`,
  );
}

export const addGroup = command({
  description:
    "Named groups of stations of a connection, which the window shows too. “group:NAME” stands for their stations.",
  examples: [
    ["group add Alps country:AT country:CH", "a new one; stations of an existing one are added"],
    ["plan group:Alps --month 2026-10", "use it"],
    ["group remove Alps Kallio", "takes a station out; without stations, deletes the group"],
  ],
  byDefault: "list",
  commands: { list: addList, add: addAdd, remove: addRemove },
});
