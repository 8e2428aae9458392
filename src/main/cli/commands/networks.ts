import { freshCatalogue, keptCatalogue } from "../selection.ts";
import { table } from "../table.ts";
import { many } from "../text.ts";
import { type AddCommand, examples } from "./types.ts";

export const addNetworks: AddCommand = (program, run) => {
  program
    .command("networks")
    .summary("list the networks of these stations")
    .description(
      "Lists the networks that your organization may use, with the number of their stations. The code is what " +
        "“network:CODE” means wherever stations are chosen.",
    )
    .option("--refresh", "ask the service even if the kept list is young")
    .option("--offline", "only the kept list; nothing is sent")
    .addHelpText("after", examples(["networks", ""], ["stations --network NORDA", "the stations of one"]))
    .action(
      run(async (shell, options: { refresh?: boolean; offline?: boolean }) => {
        const { output } = shell;
        const connection = await shell.connection();
        const { networks, stations, fetchedAtMs } = options.offline
          ? keptCatalogue(shell, connection)
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
