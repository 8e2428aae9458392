import type { Environment } from "./commands.ts";
import { isObserved, START_MS } from "./meant.ts";
import { answerOf, type Asked, type Behaviour, type Reply, type Row } from "./server.ts";

export interface Scenario {
  /** Class and form: `identifiers: upper case`. */
  readonly name: string;
  readonly days: number;
  readonly stations: number;
  /** Creates a new behaviour for each run, since a behaviour may have state. */
  behaviour(): Behaviour;
  /**
   * - `all`: the first fetch exits with 0 and stores every observation; the second one sends no request.
   * - `later`: the first fetch exits with 0; after the second one, every observation is stored.
   * - `rows`: the first fetch exits with 0; after the second one, every observation is stored, but may be provisional.
   * - a function: the first fetch exits with 3; where the function returns true, observations may be reported as failed.
   * - `any`: each observation is stored or reported as failed.
   */
  readonly expected: "all" | "later" | "rows" | "any" | ((station: number, timeMs: number) => boolean);
  /** Whether the service has an observation of this station at this time. */
  means(station: number, timeMs: number): boolean;
  readonly mostRequests: number;
  /** Must match the output of the first fetch; null if any output is accepted. */
  readonly prints: RegExp | null;
  /** Options before the name of each command. */
  readonly words: readonly string[];
  /** Environment of the commands; unless it is empty, each command runs as a process. */
  readonly environment: Environment;
  /** Start of the requested range. */
  readonly startMs: number;
  /** Whether the catalogue is read before the service becomes hostile, and refreshed afterwards. */
  readonly hasOldCatalogue: boolean;
  /** Runs in the endurance run only, since it takes long. */
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
    prints: null,
    words: [],
    environment: {},
    startMs: START_MS,
    hasOldCatalogue: false,
    isLong: false,
    ...options,
  };
}

/** A scenario for each form of a table, named `kind: form` and when it is sent. */
export function each<T>(
  [kind, when]: readonly [kind: string, when?: string],
  forms: Readonly<Record<string, T>>,
  behaviour: (form: T) => () => Behaviour,
  options: Options = {},
): Scenario[] {
  return Object.entries(forms).map(([name, form]) =>
    scenario(`${kind}: ${name}${when === undefined ? "" : `, ${when}`}`, behaviour(form), options),
  );
}

export type Answer = (asked: Asked) => Reply;

/** Each form as the first response for new cells, after which everything arrives, and as every response. */
export const firstAndAlways = (kind: string, forms: Readonly<Record<string, Answer>>): Scenario[] => [
  ...each([kind, "of new cells"], forms, whenNew, { expected: "later" }),
  ...each([kind, "always"], forms, always, UNUSABLE),
];

/** Never readable: everything is reported as failed, or the job gives up. */
export const UNUSABLE = {
  expected: "any",
  isLong: true,
  words: ["--wait-for-service", "10s"],
  mostRequests: 320,
} as const;

/** Copies a row, or a station, without the named fields. */
export const without = (row: Row, ...names: readonly string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([key]) => !names.includes(key)));

/** Changes the rows of every correct response. */
export const withRows =
  (change: (rows: Row[], asked: Asked) => Row[]): (() => Behaviour) =>
  () => ({ series: (asked) => answerOf(change(asked.rows(), asked)) });

/** Changes each row of every correct response. */
export const withRow = (change: (row: Row) => Row): (() => Behaviour) => withRows((rows) => rows.map(change));

/** Sends this response to the first request for a station and day, and the correct one afterwards. */
export const whenNew =
  (reply: (asked: Asked) => Reply): (() => Behaviour) =>
  () => ({ series: (asked) => (asked.isNew ? reply(asked) : undefined) });

export const always =
  (reply: (asked: Asked) => Reply): (() => Behaviour) =>
  () => ({ series: reply });

/** Sends this response to requests of more points than the limit, and the correct one to others. */
export const above = (points: number, reply: () => Reply): (() => Behaviour) =>
  always((asked) => (asked.points > points ? reply() : answerOf(asked.rows())));
