import { WGS84 } from "#shared/service/catalogue.ts";
import { variableInfo } from "#shared/service/variables.ts";
import { gpsAheadSeconds } from "#shared/time/gpsTime.ts";
import { formatUtcShort, type UtcMs } from "#shared/time/utc.ts";
import type { FileStation, SeriesFileSource } from "../source.ts";
import { asciiText } from "../asciiText.ts";
import { heightsOf } from "../siteCode.ts";
import { fitted, type EpochText, numberColumn, type Parameter, VALUE_WIDTH, wrapped } from "./text.ts";

/** Converts a position relative to the WGS 84 ellipsoid to Earth-centred coordinates (metres). */
function earthCentred(latitudeDeg: number, longitudeDeg: number, heightM: number): [number, number, number] {
  const latitude = (latitudeDeg * Math.PI) / 180;
  const longitude = (longitudeDeg * Math.PI) / 180;
  const { semiMajorAxisM, eccentricitySquared } = WGS84;
  const normal = semiMajorAxisM / Math.sqrt(1 - eccentricitySquared * Math.sin(latitude) ** 2);
  const ring = (normal + heightM) * Math.cos(latitude);
  return [
    ring * Math.cos(longitude),
    ring * Math.sin(longitude),
    (normal * (1 - eccentricitySquared) + heightM) * Math.sin(latitude),
  ];
}

/** Time span and sampling of the rows. */
export interface SolutionSpan {
  readonly firstMs: UtcMs;
  readonly lastMs: UtcMs;
  /** The shortest usual step of all stations; null if no station has two rows. */
  readonly stepMs: number | null;
  /** The usual step of each station. */
  readonly steps: readonly (number | null)[];
}

const RULE = `*${"-".repeat(79)}`;

interface Head {
  readonly codes: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly span: SolutionSpan;
  readonly epoch: EpochText;
}

/** Returns everything before the rows: the header line and the blocks about file, parameters and stations. */
export function headText(source: SeriesFileSource, head: Head): string {
  const { codes, parameters } = head;
  const lines = [
    headerLine(source, head),
    RULE,
    ...block("FILE/REFERENCE", reference(source, parameters)),
    ...block("FILE/COMMENT", comments(source, head)),
    ...block("TROP/DESCRIPTION", description(source, head)),
    ...block("SITE/ID", siteIds(source.stations, codes)),
    ...block("SITE/COORDINATES", coordinates(source.stations, head)),
    "+TROP/SOLUTION",
    `*STATION__ ____EPOCH_____${parameters.map((p) => ` ${p.name.padStart(VALUE_WIDTH, "_")}`).join("")}`,
  ];
  return `${lines.join("\n")}\n`;
}

export const TAIL = "-TROP/SOLUTION\n%=ENDTRO\n";

function headerLine({ provenance }: SeriesFileSource, { codes, span, epoch }: Head): string {
  const [created, first, last] = [provenance.createdAtMs, span.firstMs, span.lastMs].map((ms) => epoch.text(ms));
  // ZEN: agency of the file; UNK: unknown agency of the data; P: GNSS.
  return `%=TRO 2.00 ZEN ${created} UNK ${first} ${last} P ${codes.length === 1 ? codes[0] : "MIX"}`;
}

function block(name: string, lines: readonly string[]): string[] {
  return [`+${name}`, ...lines, `-${name}`, RULE];
}

function reference({ provenance }: SeriesFileSource, parameters: readonly Parameter[]): string[] {
  const outputs = parameters.flatMap((p) => (p.variable === null ? [] : variableInfo(p.variable).label)).join(", ");
  return [
    `*INFO_TYPE_________ INFO${"_".repeat(56)}`,
    // DESCRIPTION is the organization, OUTPUT the content.
    fileInfo("DESCRIPTION", provenance.institution),
    fileInfo("OUTPUT", outputs),
    fileInfo("CONTACT", provenance.service),
    fileInfo("SOFTWARE", provenance.program),
    fileInfo("INPUT", `${provenance.isSimulated ? "Simulated" : "GNSS"} measurements of ${provenance.service}`),
  ];
}

function fileInfo(type: string, text: string): string {
  return ` ${type.padEnd(18)} ${asciiText(text).slice(0, 60)}`;
}

function comments(source: SeriesFileSource, { codes, span, epoch }: Head): string[] {
  const { provenance, intervalSeconds, raw } = source;
  const sentences = [
    provenance.title,
    `Created ${formatUtcShort(provenance.createdAtMs)}. Coverage: ${provenance.coverage}`,
    `Quality filter of the service: ${raw ? "off" : "on"}.`,
    intervalSeconds === null
      ? "Every observation."
      : `Means of ${intervalSeconds} s; the epoch is the middle of the interval. STDDEV is the mean of the formal ones.`,
    "STDDEV is the formal standard deviation of the estimate, not its accuracy.",
    "Positions have the precision given by the service, which may blur them on purpose.",
    `Epochs are in ${epoch.name}. GPS time is ${leapSecondWords(span)} s ahead of UTC in these data.`,
    "The station codes derive from the identifiers of the service in SITE/ID and are not those of the IGS.",
    ...source.stations.flatMap((_, i) => samplingWords(span, codes, i)),
  ];
  return sentences.flatMap((line) => wrapped(asciiText(line)).map((part) => ` ${part}`));
}

/** Describes a station's sampling if it differs from the file's, because the format has only one field for it. */
function samplingWords({ stepMs, steps }: SolutionSpan, codes: readonly string[], station: number): string[] {
  const own = steps[station] ?? null;
  return own === null || own === stepMs ? [] : [`${codes[station]}: sampling ${own / 1000} s`];
}

function leapSecondWords({ firstMs, lastMs }: SolutionSpan): string {
  return [...new Set([firstMs, lastMs].map(gpsAheadSeconds))].join(" to ");
}

function description(
  { intervalSeconds, stations }: SeriesFileSource,
  { parameters, span: { stepMs }, epoch }: Head,
): string[] {
  const sampling = intervalSeconds ?? (stepMs === null ? null : Math.max(1, Math.round(stepMs / 1000)));
  const values = (of: (p: Parameter) => string): string => parameters.map((p) => of(p).padStart(VALUE_WIDTH)).join(" ");
  return [
    `*_________KEYWORD_____________ __VALUE(S)${"_".repeat(39)}`,
    ...(sampling === null ? [] : [keyword("TROPO SAMPLING INTERVAL", String(sampling))]),
    keyword("TIME SYSTEM", epoch.code),
    ...(stations.some((s) => heightsOf(s).orthometric !== null) ? [keyword("GEOID MODEL", "EGM2008")] : []),
    keyword(
      "TROPO PARAMETER NAMES",
      values((p) => p.name),
    ),
    keyword(
      "TROPO PARAMETER UNITS",
      values((p) => p.factor),
    ),
    keyword(
      "TROPO PARAMETER WIDTH",
      values(() => String(VALUE_WIDTH)),
    ),
  ];
}

function keyword(key: string, value: string): string {
  return ` ${key.padEnd(29)} ${value}`;
}

/** Placeholder as in the examples of the format, because readers that split lines at blanks need a word. */
const NO_DOMES_NUMBER = "X".repeat(9);

function siteIds(stations: readonly FileStation[], codes: readonly string[]): string[] {
  return [
    "*STATION__ PT __DOMES__ T _STATION_DESCRIPTION__ _LONGITUDE _LATITUDE_ _HGT_ELI_ _HGT_MSL_ _STATION_ID_",
    ...stations.map((s, i) => {
      const { ellipsoidal, orthometric } = heightsOf(s);
      const eastDeg = s.longitudeDeg === null ? null : (s.longitudeDeg + 360) % 360;
      return [
        ` ${codes[i]}  A ${NO_DOMES_NUMBER} P`,
        fitted(s.displayName, 22),
        numberColumn(eastDeg, 10, 6),
        numberColumn(s.latitudeDeg, 10, 6),
        numberColumn(ellipsoidal, 9, 3),
        numberColumn(orthometric, 9, 3),
        asciiText(s.id),
      ].join(" ");
    }),
  ];
}

/** Coordinates of stations with a known ellipsoidal height. */
function coordinates(stations: readonly FileStation[], { codes, span, epoch }: Head): string[] {
  const [first, last] = [epoch.text(span.firstMs), epoch.text(span.lastMs)];
  const lines = stations.flatMap((s, i) => {
    const { latitudeDeg, longitudeDeg } = s;
    const { ellipsoidal } = heightsOf(s);
    if (latitudeDeg === null || longitudeDeg === null || ellipsoidal === null) return [];
    const [x, y, z] = earthCentred(latitudeDeg, longitudeDeg, ellipsoidal).map((m) => numberColumn(m, 12, 3));
    return [` ${codes[i]}  A    1 P ${first} ${last} ${x} ${y} ${z} WGS84  -----`];
  });
  return [
    "*STATION__ PT SOLN T __DATA_START__ __DATA_END____ __STA_X_____ __STA_Y_____ __STA_Z_____ SYSTEM REMRK",
    ...lines,
  ];
}
