import { basename } from "node:path";
import { usageFault } from "#shared/fault.ts";
import type { FileSeries } from "#shared/file/opened.ts";
import { failure, success } from "#shared/service/error.ts";
import type { ScalarVariable } from "#shared/service/variables.ts";
import type { OpenConnection } from "../../app/connections/connections.ts";
import { derivedPwv, noPlaceForPwv, type Pressure } from "../../app/comparison/derivedPwv.ts";
import {
  cacheSource,
  type FileContent,
  fileSource,
  pressureSource,
  type Source,
} from "../../app/comparison/sources.ts";
import { fileFault } from "../../app/files/fault.ts";
import { usage } from "../exit.ts";
import { columnOptions } from "../options/columns.ts";
import { userFile } from "../options/place.ts";
import { keptCatalogue, namedStations } from "../options/selection.ts";
import type { Shell } from "../shell.ts";

export interface SourceOptions {
  readonly variable: ScalarVariable;
  readonly stations?: readonly string[];
  readonly interval?: number;
  readonly raw?: boolean;
  /** Derives PWV from the ZTD of files that have none. */
  readonly pressure?: Pressure | null;
}

export interface OpenedSource {
  readonly source: Source;
  close(): void;
}

/** What the user calls `cache`, `cache:CONNECTION` or by a path. @throws Stop */
export async function openComparedSource(shell: Shell, word: string, options: SourceOptions): Promise<OpenedSource> {
  if (word === "cache") return { source: await ofCache(shell, await shell.connection(), options), close() {} };
  if (!word.startsWith("cache:")) return ofFile(shell, word, options);
  const name = word.slice("cache:".length);
  const app = await shell.app();
  const record = name === "demo" ? app.connections.demo() : app.connections.find(name);
  if (!record) throw usage(`There is no connection “${name}”.`);
  return { source: await ofCache(shell, await shell.open(record), options), close() {} };
}

async function ofCache(
  shell: Shell,
  connection: OpenConnection,
  { variable, stations: words = ["all"], interval, raw = false }: SourceOptions,
): Promise<Source> {
  const app = await shell.app();
  const catalogue = keptCatalogue(shell, connection);
  const stations = namedStations(connection, catalogue, words);
  const intervalSeconds = interval ?? null;
  const { name, baseUrl } = connection.record;
  const rows = intervalSeconds === null ? "every observation" : `means over ${intervalSeconds} s`;
  return cacheSource({
    name,
    details: [`Cache of ${baseUrl}`, `Values: ${rows}${raw ? ", including rejected values" : ""}`],
    stations,
    variable,
    read: (stationId, range) =>
      app.rows(connection, { intervalSeconds, raw, range, resampled: false }, stationId, [variable]),
  });
}

async function ofFile(shell: Shell, word: string, { variable, pressure }: SourceOptions): Promise<OpenedSource> {
  const { content, close } = await contentOf(shell, word);
  const { name, series } = content;
  const own = fileSource(content, variable);
  const delays = own.sites.length === 0 && variable === "pwv" ? fileSource(content, "ztd") : null;
  const source = delays && pressure ? derivedPwv(delays, pressure) : own;
  if (source.sites.length > 0) return { source, close };
  close();
  if (delays && delays.sites.length > 0)
    throw usage(pressure ? noPlaceForPwv(name) : `${name} has no pwv, but ztd: --pressure derives PWV from it.`);
  throw usage(`${name} has no ${variable} in a unit of length or mass per area. It has ${quantitiesOf(series)}.`);
}

/** What `--pressure` names: "standard", a number of hPa, or a file. @throws Stop */
export async function openPressure(
  shell: Shell,
  word: string,
): Promise<{ readonly pressure: Pressure; close(): void }> {
  if (word === "standard") return { pressure: { kind: "standard" }, close() {} };
  const hPa = Number(word);
  if (word.trim() !== "" && Number.isFinite(hPa)) {
    if (hPa < LEAST_HPA || hPa > MOST_HPA)
      throw usage(
        `${word} hPa is not a pressure on the ground. Write ${LEAST_HPA} to ${MOST_HPA}, standard, or a file.`,
      );
    return { pressure: { kind: "value", hPa }, close() {} };
  }
  const { content, close } = await contentOf(shell, word);
  const source = pressureSource(content);
  if (source.sites.length > 0) return { pressure: { kind: "series", source }, close };
  close();
  throw usage(
    `${content.name} has no pressure at its sites in hPa, mbar, kPa or Pa. It has ${quantitiesOf(content.series)}.`,
  );
}

const LEAST_HPA = 300;
const MOST_HPA = 1_100;

function quantitiesOf(series: readonly FileSeries[]): string {
  const names = series.map(({ quantity: { name, unit } }) => (unit ? `${name} (${unit})` : name));
  return [...new Set(names)].slice(0, 12).join(", ");
}

/** @throws Stop */
async function contentOf(shell: Shell, word: string): Promise<{ readonly content: FileContent; close(): void }> {
  const { FormatFailure } = await import("#formats/open/index.ts");
  const { openAnyFile } = await import("../../app/files/openAny.ts");
  const { path, ...member } = userFile(word);
  const opened = await openAnyFile(path, { ...member, ...columnOptions(shell), signal: shell.signal });
  shell.signal.throwIfAborted();
  if (!opened.ok) throw usage(fileFault(opened.error, { path, name: path }).message);
  const file = opened.value;
  const name = basename(path);
  const content: FileContent = {
    name,
    description: file,
    series: file.series,
    read(seriesId) {
      const index = file.series.findIndex((series) => series.id === seriesId);
      if (index < 0) return Promise.resolve(failure(usageFault(`${name} has no such series.`)));
      try {
        return Promise.resolve(success(file.rows(index)));
      } catch (thrown) {
        if (!(thrown instanceof FormatFailure)) throw thrown;
        return Promise.resolve(failure(fileFault(thrown.error, { path, name })));
      }
    },
  };
  return { content, close: () => file.close() };
}
