import { join } from "node:path";
import { DAY_MS, START_MS, STATIONS } from "../hostile/meant.ts";

/** The folders and the service of the commands in a meeting. */
export interface Place {
  readonly folder: string;
  readonly data: string;
  readonly serviceUrl: string;
  /** Number of the command, for distinct files of equal commands. */
  readonly nth: number;
}

export const STATION_COUNT = 2;
export const DAYS = 2;
export const NAMES = STATIONS.slice(0, STATION_COUNT).map(({ name }) => name);
const at = (days: number): string => new Date(START_MS + days * DAY_MS).toISOString();
export const RANGE = ["--from", at(0), "--to", at(DAYS)] as const;
const MAIN = ["--connection", "main"] as const;

/** Names of the files in a meeting. */
export const FILES = { session: "handed.zenith", orphan: "cache-orphan.db", key: "key" } as const;

export const exportTo = (path: string): readonly string[] => [
  "export",
  ...NAMES,
  ...RANGE,
  ...MAIN,
  "--format",
  "csv",
  "--out",
  path,
  // What the service does not have is unconfirmed at first.
  "--allow-incomplete",
];
export const FETCH: readonly string[] = ["fetch", ...NAMES, ...RANGE, ...MAIN];
export const connectTo = ({ serviceUrl, folder }: Place, name = "main"): readonly string[] => [
  "connect",
  serviceUrl,
  "--name",
  name,
  "--key-file",
  join(folder, FILES.key),
];

/** Commands that read or change a data folder in different ways. */
export const COMMANDS: Readonly<Record<string, (place: Place) => readonly string[]>> = {
  fetch: () => FETCH,
  export: ({ folder, nth }) => exportTo(join(folder, `out-${nth}.csv`)),
  "export --fetch": ({ folder, nth }) => [...exportTo(join(folder, `out-${nth}.csv`)), "--fetch"],
  gaps: () => ["gaps", ...NAMES, ...RANGE, ...MAIN],
  figure: ({ folder, nth }) => ["figure", ...NAMES, ...RANGE, ...MAIN, "--out", join(folder, `figure-${nth}.svg`)],
  plan: () => ["plan", ...NAMES, ...RANGE, ...MAIN],
  stations: () => ["stations", "--refresh", ...MAIN],
  statistics: () => ["cache", ...MAIN],
  move: ({ folder, nth }) => ["cache", "move", join(folder, `moved-${nth}.db`), ...MAIN],
  forget: () => ["cache", "forget", "--before", at(1), ...MAIN],
  "forget --all": () => ["cache", "forget", "--all", ...MAIN],
  compact: () => ["cache", "compact", ...MAIN],
  check: () => ["cache", "check", ...MAIN],
  repair: () => ["cache", "repair", ...MAIN],
  trim: () => ["cache", "max-size", "20MB", ...MAIN],
  adopt: ({ data }) => ["cache", "adopt", join(data, FILES.orphan), "--name", "orphan"],
  connect: (place) => connectTo(place),
  "connect, another": (place) => connectTo(place, `other-${place.nth}`),
  "connect --remove": () => ["connect", "--remove", "main"],
  "session save": ({ folder, nth }) => [
    "session",
    "save",
    join(folder, `saved-${nth}.zenith`),
    "--stations",
    ...NAMES,
    ...RANGE,
    ...MAIN,
  ],
  "session open": ({ folder }) => ["session", "open", join(folder, FILES.session)],
};
/** A separate program, which does not end by itself. */
export const WINDOW = "web";
export const ALL: readonly string[] = [...Object.keys(COMMANDS), WINDOW];

/** Commands after which data has to be downloaded again. */
export const FORGETTING: ReadonlySet<string> = new Set(["forget", "forget --all", "connect --remove"]);
