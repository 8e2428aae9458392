import { join } from "node:path";
import { mkdir } from "node:fs/promises";
import type { JobSpec } from "#shared/job/job.ts";
import { formatUtcShort } from "#shared/time/utc.ts";
import { findStations } from "../../app/stations/find.ts";
import { command } from "../command.ts";
import { download, downloadDocument, report } from "../download/download.ts";
import { exportSelection } from "../export/exporting.ts";
import { monthOf } from "#shared/time/range.ts";
import { invocation, userPath } from "../options/paths.ts";
import { freshCatalogue } from "../options/selection.ts";
import { orStop } from "../shell.ts";
import { count } from "../terminal/text.ts";

/** Stations of the embedded service: most of them Nordic, one with data delayed by two hours, one without any. */
const DEMO_STATIONS = [
  "Kallio",
  "Torsvika",
  "Heinäniemi",
  "Svartöbacken",
  "Älvsborgsudden, Outer Pier",
  "Rannaküla",
  "Mast 004 Jūrasciems",
  "Seemattli",
  "高見原",
  "Mlima Mrefu",
  "Chaco Kuarahy (tarde)",
  "Mast 012 Tyhjäkallio",
];

const FOLDER = "demo-output";

export const addDemo = command({
  description:
    "Starts the embedded reference service, fetches the last calendar month (UTC) of a dozen stations over HTTP into the cache, " +
    `and writes it as NetCDF and CSV into ./${FOLDER}/. The service allows few points per request and few requests at once, ` +
    "so that splitting and waiting can be seen. The second run uses the cache and sends nothing.",
  examples: [
    ["demo", "fetches, and writes the files"],
    ["demo", "sends no requests"],
  ],
  async run(shell) {
    const { output } = shell;
    const app = await shell.app({ mayCreate: true });
    const connection = await shell.open(app.connections.demo());
    const range = monthOf(Date.now(), -1);
    const month = formatUtcShort(range.startMs).slice(0, 7);
    const kept = connection.cache.catalogue();
    const catalogue = kept.fetchedAtMs === null ? await freshCatalogue(shell, connection, false) : kept;
    const stations = orStop(findStations(catalogue, DEMO_STATIONS));
    const spec: JobSpec = {
      stationIds: stations.map((s) => s.id),
      variables: ["ztd", "ztd_sigma", "pwv"],
      range,
      intervalSeconds: null,
      raw: false,
    };
    const cost = app.jobs.estimate(connection, spec, true);
    output.note(
      `${month}, ${stations.length} stations, every observation: ${count(cost.pointsRequested)} data points.`,
    );
    if (cost.pointsToFetch > 0) {
      output.note(
        [
          "The embedded service runs on a port of this computer. It accepts 50,000 points per request. It refuses the",
          "first request; the program learns the limit and splits the rest. It accepts three requests at a time and",
          "delays a fourth one (429); all requests then wait for the stated time.",
        ].join("\n"),
      );
    }
    const done = await download(shell, connection, (options) => app.jobs.run(connection, spec, options));
    const document = downloadDocument(shell, connection, { ...done, spec });
    const isWhole = done.finished.outcome.state === "finished";
    if (!isWhole) output.document("demo", document);
    const code = report(shell, connection, { ...done, spec });
    if (!isWhole) return code;

    const folder = userPath(FOLDER);
    await mkdir(folder, { recursive: true });
    output.print("");
    const request = { ...spec, resampled: false, heightReference: "WGS84_ELLIPSOID" as const };
    const netcdf = join(folder, `zenith-${month}.nc`);
    const csv = join(folder, `zenith-${month}.csv`);
    const exports = [
      await exportSelection(shell, connection, { ...request, format: "netcdf", path: netcdf }),
      await exportSelection(shell, connection, { ...request, format: "csv", path: csv }),
    ];
    output.document("demo", { ...document, exports });
    output.note(
      [
        "",
        "To inspect the files:",
        `  ncdump -h ${FOLDER}/zenith-${month}.nc`,
        `  python3 -c "import xarray; print(xarray.open_dataset('${FOLDER}/zenith-${month}.nc'))"`,
        `  ${invocation()} stations --connection demo`,
        `  ${invocation()} resample Kallio --connection demo --month ${month} --interval 6h`,
        "Run it again: final data are never downloaded twice.",
      ].join("\n"),
    );
    return code;
  },
});
