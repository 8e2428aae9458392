import { silentSentence, silentStations } from "#shared/schedule/silence.ts";
import { command, read } from "../command.ts";
import { EXIT } from "../exit.ts";
import { STATIONS } from "../options/options.ts";
import { parseDuration } from "../options/parse.ts";
import { namedStations } from "../options/selection.ts";
import { orStop } from "../shell.ts";
import { minuteText, visible } from "../terminal/text.ts";

export const addWatch = command({
  description:
    "Requests the catalogue and lists the stations whose newest measurement is older than a time. The exit code is 3 if there " +
    "is one, so that a script or a cron job can raise an alarm; “schedule add --silent” does it at each run.",
  words: {
    ...STATIONS,
    "--silent <duration>": read("how long a station may send nothing", parseDuration, "2h"),
  },
  examples: [
    ["watch Kallio --silent 2h", "exit code 3 if Kallio is silent"],
    ["watch all", "all stations"],
  ],
  async run(shell, { stations: words, silent: silentSeconds }) {
    const connection = await shell.connection();
    const app = await shell.app();
    const catalogue = orStop(await app.catalogue(connection, true, shell.signal));
    const stationIds = namedStations(connection, catalogue, words).map((station) => station.id);
    const limitMs = silentSeconds * 1_000;
    const silent = silentStations(catalogue, stationIds, limitMs, connection.session.serverNowMs());
    shell.output.document("watch", { stations: stationIds.length, silentSeconds, silent });
    if (silentSentence(silent, limitMs) === null) return shell.output.print("No station is silent.");
    shell.output.table(silent, {
      "Silent station": (s) => visible(s.displayName),
      "Newest measurement": (s) => (s.lastMs === null ? "unknown" : minuteText(s.lastMs)),
      Id: (s) => s.stationId,
    });
    return EXIT.incomplete;
  },
});
