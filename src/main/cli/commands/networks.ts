import { freshCatalogue, cachedCatalogue } from "../options/selection.ts";
import { table } from "../terminal/table.ts";
import { many } from "../terminal/text.ts";
import { type AddCommand, examples } from "./types.ts";

export const addNetworks: AddCommand = (program, run) => {
  program
    .command("networks")
    .summary("list the networks of the stations")
    .description(
      "Lists the networks that your organization can use, with their number of stations. Use the code in " +
        "“network:CODE” to select stations.",
    )
    .option("--refresh", "request the list even if the saved one is recent")
    .option("--offline", "use only the saved list; sends nothing")
    .addHelpText("after", examples(["networks", ""], ["stations --network NORDA", "the stations of one"]))
    .action(
      run(async (shell, options: { refresh?: boolean; offline?: boolean }) => {
        const { output } = shell;
        const connection = await shell.connection();
        const { networks, stations, fetchedAtMs } = options.offline
          ? cachedCatalogue(shell, connection)
          : await freshCatalogue(shell, connection, options.refresh ?? false);
        const counted = networks.map((network) => ({
          ...network,
          stations: stations.filter((s) => s.networkId === network.id).length,
        }));
        output.document({ fetchedAtMs, networks: counted });
        const rows = counted.map((n) => [
          n.code,
          n.name,
          String(n.stations),
          n.isOwner ? "yours" : "",
          n.visibility ?? "",
        ]);
        const columns = [
          { title: "Code" },
          { title: "Name", canShrink: true },
          { title: "Stations", align: "right" as const },
          { title: "Owner" },
          { title: "Visibility" },
        ];
        output.print(table(columns, rows, output.width));
        output.note(many(networks.length, "network"));
      }),
    );
};
