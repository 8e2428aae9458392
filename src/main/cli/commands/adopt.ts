import type { Command } from "commander";
import { userPath } from "../options/place.ts";
import { orStop, type Shell } from "../shell.ts";
import { table } from "../terminal/table.ts";
import { bytes, visible } from "../terminal/text.ts";
import type { Run } from "./types.ts";

/** `cache adopt`: recovers caches without a connection. */
export function addAdopt(command: Command, run: Run): void {
  command
    .command("adopt")
    .argument("[file]", "a cache without a connection")
    .description(
      "Creates a connection for a cache without one, and leaves the file in place. Its data are available at " +
        "once; enter the key with connect. Without a file, lists such caches in the data folder.",
    )
    .option("--name <name>", "name of the connection (default: as recorded in the cache)")
    .option("--url <url>", "address of the service of these data (default: as recorded in the cache)")
    .action(
      run(async (shell: Shell, file: string | undefined, options: { name?: string; url?: string }) => {
        const app = await shell.app({ mayCreate: file !== undefined });
        if (file === undefined) {
          const caches = app.orphanedCaches();
          shell.output.document({ caches });
          const columns = [
            { title: "File", canShrink: true },
            { title: "Size" },
            { title: "Connection" },
            { title: "Address" },
          ];
          const rows = caches.map((c) => [c.path, bytes(c.bytes), visible(c.name ?? "?"), visible(c.baseUrl ?? "?")]);
          shell.output.print(
            rows.length === 0
              ? "Every cache in the data folder has a connection."
              : table(columns, rows, shell.output.width),
          );
          return;
        }
        const record = orStop(app.adoptCache(userPath(file), { name: options.name, baseUrl: options.url }));
        const connection = await app.connections.info(record);
        shell.output.document({ connection });
        shell.output.print(`“${record.name}” has its cache again. No request is sent until it has a key.`);
        if (!connection.hasKey)
          shell.output.note(`Next: ${shell.suggest(`connect ${record.baseUrl} --name '${record.name}'`)}`);
      }),
    );
}
