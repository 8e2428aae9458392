import { SCALAR_VARIABLES, variableInfo } from "#shared/service/variables.ts";
import type { Result } from "#shared/service/error.ts";
import { DAY_MS, formatUtc, type UtcMs } from "#shared/time/utc.ts";
import { asciiText } from "../asciiText.ts";
import { type FormatError, FormatFailure } from "../error.ts";
import { MONTHS } from "../open/time/moment.ts";
import { heightsOf, siteCodesOf } from "../siteCode.ts";
import { costProblem } from "../problems.ts";
import { type ByteSink, writeThroughSink } from "../sink.ts";
import {
  type FileStation,
  guarded,
  type Pace,
  type SeriesFileSource,
  type WriteOptions,
  type WrittenFile,
} from "../source.ts";

/** Quantities of a row: width, decimals and the text of a missing value. */
const FIELDS = [
  ...Array.from({ length: 7 }, () => ({ width: 7, decimals: 1, missing: "-9.9" })),
  ...Array.from({ length: 2 }, () => ({ width: 7, decimals: 2, missing: "999.99" })),
  ...Array.from({ length: 2 }, () => ({ width: 7, decimals: 2, missing: "-9.99" })),
  { width: 8, decimals: 3, missing: "-99.999" },
] as const;

/**
 * Writes means as COST-716 V2.2a, the format of E-GVAP: a block of nine header lines and the rows for each station and
 * UTC day. ZTD and its uncertainty are in mm, IWV is PWV in kg m-2, with one decimal. The epoch is the middle of the
 * interval, in UTC. What the service does not tell (receiver, orbits, meteorological data, confidence flags) is
 * marked as missing. The layout follows published files of E-GVAP's centres.
 */
export async function writeCost(
  path: string,
  source: SeriesFileSource,
  options: WriteOptions = {},
): Promise<Result<WrittenFile, FormatError>> {
  const write = async (sink: ByteSink, pace: Pace): Promise<void> => {
    const problem = costProblem(source.variables, source.intervalSeconds);
    if (problem !== null) throw new FormatFailure("invalid", problem);
    const codes = siteCodesOf(source.stations);
    for (const [index, station] of source.stations.entries()) {
      let rows: string[] = [];
      let firstMs = Number.NaN;
      const flush = async (): Promise<void> => {
        if (rows.length > 0) await sink.write(Buffer.from(block(source, station, codes[index]!, { firstMs, rows })));
        rows = [];
      };
      for (const { timesMs, columns } of guarded(() => source.blocks(index))) {
        const byField = new Map(
          SCALAR_VARIABLES.map((variable) => [variableInfo(variable).cost, columns[variable]?.values] as const),
        );
        for (const [row, startMs] of timesMs.entries()) {
          const epochMs = startMs + ((source.intervalSeconds ?? 0) * 1_000) / 2;
          // Rows have no date.
          if (Math.floor(epochMs / DAY_MS) !== Math.floor(firstMs / DAY_MS)) {
            await flush();
            firstMs = epochMs;
          }
          rows.push(rowText(epochMs, (field) => numberAt(byField.get(field), row), station.id));
        }
        await pace.step(timesMs.length);
      }
      await flush();
    }
  };
  return writeThroughSink(path, write, options);
}

function numberAt(values: ArrayLike<unknown> | undefined, row: number): number {
  const value = values?.[row];
  return typeof value === "number" ? value : Number.NaN;
}

interface Day {
  readonly firstMs: UtcMs;
  readonly rows: readonly string[];
}

function block(
  { intervalSeconds, provenance }: SeriesFileSource,
  station: FileStation,
  code: string,
  { firstMs, rows }: Day,
): string {
  const { ellipsoidal, orthometric } = heightsOf(station);
  const minutes = String((intervalSeconds ?? 0) / 60).padStart(5);
  const unknown = "-9".padStart(5);
  const lines = [
    texts("COST-716 V2.2a", "E-GVAP", "TEST"),
    `${texts(code)}${asciiText(`${station.displayName} ${station.id}`).slice(0, 60)}`,
    texts("UNKNOWN", "UNKNOWN"),
    coordinate(station.latitudeDeg, 6) +
      coordinate(station.longitudeDeg, 6) +
      coordinate(ellipsoidal, 3) +
      coordinate(orthometric, 3) +
      coordinate(null, 3),
    texts(costMoment(firstMs), costMoment(provenance.createdAtMs)),
    texts(provenance.institution, provenance.program, "UNKNOWN", "NONE"),
    minutes + unknown + unknown,
    NO_FLAGS,
    String(rows.length).padStart(4),
    ...rows,
    "-".repeat(100),
  ];
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

/** Product confidence data: not available. */
const NO_FLAGS = "FFFFFFFF";

/** Writes texts in columns of twenty characters and five blanks. */
function texts(...values: readonly string[]): string {
  return values.map((text) => asciiText(text).slice(0, 20).padEnd(25)).join("");
}

function coordinate(value: number | null, decimals: number): string {
  return (value ?? -999).toFixed(decimals).padStart(12);
}

function costMoment(ms: UtcMs): string {
  const text = formatUtc(ms);
  const month = MONTHS[new Date(ms).getUTCMonth()]?.toUpperCase();
  return `${text.slice(8, 10)}-${month}-${text.slice(0, 4)} ${text.slice(11, 19)}`;
}

function rowText(epochMs: UtcMs, valueOf: (field: number) => number, stationId: string): string {
  const clock = formatUtc(epochMs).slice(11, 19).split(":").join(" ");
  const fields = FIELDS.map(({ width, decimals, missing }, field) => {
    const value = valueOf(field);
    const text = Number.isNaN(value) ? missing : value.toFixed(decimals);
    if (text.length >= width || (!Number.isNaN(value) && /^(-9+\.9+|-?Inf.*)$/.test(text)))
      throw new FormatFailure(
        "invalid",
        `Station ${stationId} has the value ${value} at ${formatUtc(epochMs)}, which COST-716 cannot hold. ` +
          "Leave that time out, or choose another format.",
      );
    return text.padStart(width);
  });
  // Each row is followed by the number of its slant delays.
  return ` ${clock} ${NO_FLAGS}${fields.join("")}\n   0`;
}
