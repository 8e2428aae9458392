import { setImmediate } from "node:timers/promises";
import { formatUtc } from "#shared/time/utc.ts";
import { stationPoints } from "#shared/service/points.ts";
import type { TimeSeriesQuery } from "#shared/service/query.ts";
import { type SatelliteVariable, type ScalarVariable, type Variable, variableInfo } from "#shared/service/variables.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import type { Exchange } from "../exchange.ts";
import { isEntitled } from "../organizations.ts";
import { refusal, type Refusal } from "../http/refusal.ts";
import type { LimitStyle, NoDataStyle, ServiceSettings } from "../options.ts";
import type { WorldStation } from "../world/types.ts";
import { ClientGone } from "../http/body.ts";

/** One column of rows: numbers (NaN: no value) or texts (null: no value). */
export type RowColumn =
  | { readonly kind: "scalar"; readonly variable: ScalarVariable; readonly values: Float64Array }
  | { readonly kind: "text"; readonly variable: SatelliteVariable; readonly values: (string | null)[] };

/** Rows of one station in time order, one column per variable of the query. Reused between blocks: copy what is needed later. */
export interface RowBlock {
  count: number;
  readonly timesMs: Float64Array;
  readonly columns: readonly RowColumn[];
}

export function emptyRows(variables: readonly Variable[], capacity: number): RowBlock {
  return {
    count: 0,
    timesMs: new Float64Array(capacity),
    columns: variables.map((name) => {
      const variable = variableInfo(name);
      return variable.kind === "scalar"
        ? { kind: "scalar", variable: variable.name, values: new Float64Array(capacity) }
        : { kind: "text", variable: variable.name, values: Array.from({ length: capacity }, () => null) };
    }),
  };
}

const NO_DATA: Readonly<Record<NoDataStyle, string | null | undefined>> = {
  null: null,
  NaN: "NaN",
  empty: "",
  omit: undefined,
};

/** The form of rows, where the specification leaves it open. */
export type RowForm = Pick<ServiceSettings, "noData" | "earlierForm">;

/** The field that names the station of a row (2.5; 9.3 in the earlier form). */
export function stationKey(form: RowForm): string {
  return form.earlierForm ? "receiver_id" : "station_id";
}

/** The first row of a block (2.5) as an object, for short responses. `RowBytes` writes the same for long ones. */
export function rowWire(station: WorldStation, { timesMs, columns }: RowBlock, form: RowForm): object {
  const values = columns.map(({ variable, values: [value] }) => {
    const isAbsent = value === null || Number.isNaN(value);
    return [variable, isAbsent ? NO_DATA[form.noData] : value];
  });
  return {
    timestamp: formatUtc(timesMs[0]!),
    [stationKey(form)]: station.id,
    display_name: station.displayName,
    ...Object.fromEntries(values),
  };
}

/** A time series query that passed all checks. */
export interface AdmittedQuery {
  readonly query: TimeSeriesQuery;
  readonly stations: readonly WorldStation[];
  /** Its size by section 8. */
  readonly points: number;
  /** `performance.now()` when processing began. */
  readonly startedAt: number;
}

/** Each variable once, in the requested order; `prn` is last if it is implied (2.4 rule 3). */
export function answeredVariables(asked: readonly Variable[]): Variable[] {
  const set = new Set(asked);
  if (set.has("snr") || set.has("el") || set.has("az")) set.add("prn");
  return [...set];
}

/** One station outside the entitlement refuses the whole query, whether or not it exists. */
export function requestedStations(
  { world, organization }: Exchange,
  ids: Iterable<string>,
): Result<WorldStation[], Refusal> {
  const found = Array.from(ids, (id) => world.station(id));
  const stations = found.filter((station) => station !== undefined && isEntitled(station, organization));
  if (stations.length < found.length) return failure(refusal(403, "Not authorized for the requested stations."));
  return success(stations as WorldStation[]);
}

/** Size of a query by section 8. The service knows the cadence of receivers that the catalogue lists as native (0). */
export function pointsOf(query: TimeSeriesQuery, stations: readonly WorldStation[]): number {
  const range = { startMs: query.startMs, endMs: query.endMs };
  return stations.reduce((sum, s) => sum + stationPoints(range, s.nativeSeconds, query.intervalSeconds), 0);
}

/** Refuses a query before it runs: for its size (413), or the time it would take at the claimed speed (408). */
export function refuseSize(exchange: Exchange, points: number): Refusal | null {
  const { maxPoints, deadlineMs } = exchange.organization;
  const { limitStyle, pointsPerSecond } = exchange.settings;
  if (maxPoints !== null && points > maxPoints) return tooManyPoints(points, maxPoints, limitStyle);
  if (pointsPerSecond !== null && (points / pointsPerSecond) * 1000 > deadlineMs) return pastDeadline(deadlineMs);
  return null;
}

/** 408 once the query has actually exceeded the deadline of its organization. */
export function refuseLate(exchange: Exchange, admitted: AdmittedQuery): Refusal | null {
  const { deadlineMs } = exchange.organization;
  return performance.now() - admitted.startedAt > deadlineMs ? pastDeadline(deadlineMs) : null;
}

export function pastDeadline(deadlineMs: number): Refusal {
  return refusal(408, `The query ran past the processing deadline of ${deadlineMs / 1000} seconds.`);
}

/** 413 with the limit in the message (section 7). */
function tooManyPoints(points: number, limit: number, style: LimitStyle): Refusal {
  if (style === "absent") return refusal(413, "The query is too large for your organization.");
  const [size, bound] = [numberText(points, style), numberText(limit, style)];
  const message = `The query has ${size} data points; the limit of your organization is ${bound} data points.`;
  if (style !== "html") return refusal(413, message);
  const page = `<html><head><title>413 Content Too Large</title></head><body><h1>Content Too Large</h1><p>${message}</p></body></html>`;
  return refusal(413, message, { page });
}

function numberText(n: number, style: LimitStyle): string {
  if (style === "plain") return String(n);
  if (style === "exponent") return n.toExponential().replace("+", "");
  return n.toLocaleString("en-US").replaceAll(",", style === "spaces" ? " " : ",");
}

/** Maximum time of work before other requests get their turn. */
const SLICE_MS = 10;

/** Interrupts a long computation for other requests, and stops it when its client has disconnected. */
export class Pace {
  readonly #signal: AbortSignal;
  #sliceStart = performance.now();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Call between blocks of work. Throws `ClientGone`. */
  async yieldIfDue(): Promise<void> {
    if (performance.now() - this.#sliceStart >= SLICE_MS) {
      await setImmediate();
      this.#sliceStart = performance.now();
    }
    if (this.#signal.aborted) throw new ClientGone();
  }
}
