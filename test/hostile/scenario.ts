import type { Environment } from "./commands.ts";
import { isObserved, START_MS } from "./meant.ts";
import { answerOf, type Asked, type Behaviour, type Reply, type Row } from "./server.ts";

export interface Scenario {
  /** Class and form: `identifiers: upper case`. */
  readonly name: string;
  readonly days: number;
  readonly stations: number;
  /** Made anew for each run, since it may count. */
  behaviour(): Behaviour;
  /**
   * What has to come of it: `all` observations, exit code 0 and nothing to ask again; `later`, all of them, but at the
   * second fetch at the latest; `rows`, all of them at the first fetch, but they may not be final; all but those that cannot be had, which are told to have failed, exit code 3; or `any`:
   * each observation is there or told to have failed.
   */
  readonly expected: "all" | "later" | "rows" | "any" | ((station: number, timeMs: number) => boolean);
  /** Whether the service means to have an observation there. */
  means(station: number, timeMs: number): boolean;
  readonly mostRequests: number;
  /** What the first fetch has to say, whatever else it says; null where it may say anything. */
  readonly says: RegExp | null;
  /** Words of the command line that come before every command. */
  readonly words: readonly string[];
  /** Of the commands; with any, each is a process. */
  readonly environment: Environment;
  /** The first day that is asked for. */
  readonly startMs: number;
  /** The catalogue is read once while it is honest, and once more afterwards. */
  readonly hasOldCatalogue: boolean;
  /** Takes long: only in the endurance run. */
  readonly isLong: boolean;
}

type Options = Partial<Omit<Scenario, "name" | "behaviour">>;

export function scenario(name: string, behaviour: () => Behaviour, options: Options = {}): Scenario {
  return {
    name,
    behaviour,
    days: 1,
    stations: 3,
    expected: "all",
    means: isObserved,
    mostRequests: 200,
    says: null,
    words: [],
    environment: {},
    startMs: START_MS,
    hasOldCatalogue: false,
    isLong: false,
    ...options,
  };
}

/** A row, or a station, without some of its fields. */
export const without = (row: Row, ...names: readonly string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([key]) => !names.includes(key)));

/** Every answer is the honest one, with its rows changed. */
export const withRows =
  (change: (rows: Row[], asked: Asked) => Row[]): (() => Behaviour) =>
  () => ({ series: (asked) => answerOf(change(asked.rows(), asked)) });

/** Every row is changed by itself. */
export const withRow = (change: (row: Row) => Row): (() => Behaviour) => withRows((rows) => rows.map(change));

/** Whatever asks for a station and day for the first time gets this; when it is asked again, the honest answer. */
export const whenNew =
  (reply: (asked: Asked) => Reply): (() => Behaviour) =>
  () => ({ series: (asked) => (asked.isNew ? reply(asked) : undefined) });

export const always =
  (reply: (asked: Asked) => Reply): (() => Behaviour) =>
  () => ({ series: reply });

/** Refuses requests of more points than this; the others are answered honestly. */
export const above = (points: number, reply: () => Reply): (() => Behaviour) =>
  always((asked) => (asked.points > points ? reply() : answerOf(asked.rows())));
