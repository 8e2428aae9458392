import { silentSentence, silentStations } from "#shared/schedule/silence.ts";
import { EXIT } from "../exit.ts";
import { durationOption, STATION_WORDS } from "../options/options.ts";
import { namedStations } from "../options/selection.ts";
import { orStop } from "../shell.ts";
import { minuteText, visible } from "../terminal/text.ts";
import { type AddCommand, examples } from "./types.ts";

export const addWatch: AddCommand = (program, run) => {
  program
    .command("watch")
    .summary("list stations that are silent")
    .description(
      "Requests the catalogue and lists the stations whose newest measurement is older than a time. The exit code is 3 if there " +
        "is one, so that a script or a cron job can raise an alarm; “schedule add --silent” does it at each run.",
    )
    .argument("<stations...>", STATION_WORDS)
    .addOption(durationOption("--silent <duration>", "how long a station may send nothing", "2h"))
    .addHelpText(
      "after",
      examples(["watch Kallio --silent 2h", "exit code 3 if Kallio is silent"], ["watch all", "all"]),
    )
    .action(
      run(async (shell, words: string[], { silent: silentSeconds }: { silent: number }) => {
        const connection = await shell.connection();
        const app = await shell.app();
        const catalogue = orStop(await app.catalogue(connection, true, shell.signal));
        const stationIds = namedStations(connection, catalogue, words).map((station) => station.id);
        const limitMs = silentSeconds * 1_000;
        const silent = silentStations(catalogue, stationIds, limitMs, connection.session.serverNowMs());
        shell.output.document("watch", { stations: stationIds.length, silentSeconds, silent });
        const sentence = silentSentence(silent, limitMs);
        if (sentence === null) {
          shell.output.print("No station is silent.");
          return EXIT.ok;
        }
        const rows = silent.map(({ displayName, lastMs, stationId }) => [
          visible(displayName),
          lastMs === null ? "unknown" : minuteText(lastMs),
          stationId,
        ]);
        shell.output.table(["Silent station", "Newest measurement", "Id"], rows);
        return EXIT.incomplete;
      }),
    );
};
