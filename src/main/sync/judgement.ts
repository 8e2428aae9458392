import type { CatalogueStation } from "#shared/service/catalogue.ts";
import type { Coverage } from "#shared/series/rows.ts";
import type { EpochSource } from "#shared/service/points.ts";
import type { Variable } from "#shared/service/variables.ts";
import { overlap } from "#shared/time/range.ts";
import type { RangeSet } from "#shared/time/rangeset.ts";
import { emptyRuns, momentsOf, momentsOnlyIn, type Runs } from "#shared/time/runs.ts";
import { HOUR_MS, type UtcMs } from "#shared/time/utc.ts";
import type { TimeSeriesOutcome } from "../client/types.ts";
import { judgeAnswer } from "../analysis/absence.ts";
import { gapsBetween } from "../analysis/gaps.ts";
import { stepSeconds, UNKNOWN_STATION } from "../analysis/requestedTimes.ts";
import { requestableRange } from "../planner/missing.ts";
import type { ServiceTime } from "../planner/serviceClock.ts";
import type { PlannedRequest } from "../planner/types.ts";
import type { ResponseWriter } from "../store/index.ts";
import type { SeriesPart, StationContents } from "../store/types.ts";
import { epochSource, shownStep } from "./cadence.ts";
import { bringsAbsent, isContradicted, reopenContradicted } from "./contradictions.ts";
import type { NewestMeasurements } from "./newestMeasurements.ts";
import type { Session } from "./session.ts";
import { confirmableUntil, endedSilences } from "./silence.ts";
import type { ExpectedValues } from "./wrongTimes.ts";

/**
 * Age from which a response without a value of a series confirms what an earlier one lacked: that of the daily download
 * before. An outage of one station or variable looks like one that sent nothing.
 */
const OTHER_DAY_MS = 20 * HOUR_MS;

/**
 * The stations of a job by id, as the catalogue described them before the request was sent. Rows of another requested
 * station show only that the service delivers values; they are not stored.
 */
export type RequestedStations = ReadonlyMap<string, CatalogueStation>;

/** A response whose rows are with the writer, not committed yet. */
export interface ReceivedResponse extends TimeSeriesOutcome {
  readonly writer: ResponseWriter;
  /** Whether it has rows of stations that were not requested. */
  readonly hasForeignRows: boolean;
  /** Whether it has values of a requested station that are not stored. */
  readonly hasWitness: boolean;
}

/** What a response shows of its stations: which values it has, which it lacks, and which absences it may confirm. */
export class Judgement {
  readonly contents: ReadonlyMap<string, StationContents>;
  /** Whether the response lacks values that should be there, as far as it was judged. */
  hasAbsences = false;
  readonly #session: Session;
  readonly #request: PlannedRequest;
  readonly #stations: RequestedStations;
  readonly #time: ServiceTime;
  readonly #storedIds: readonly string[];
  readonly #sources: ReadonlyMap<string, EpochSource>;
  readonly #hasValues: boolean;
  readonly #mayConfirm: boolean;
  /** Stations, and series by variable and station, whose absences the response does not confirm. */
  #contradicted: ReadonlySet<string> = new Set();
  #undelivered: ReadonlySet<string> = new Set();
  #bringing: ReadonlySet<string> = new Set();

  constructor(session: Session, request: PlannedRequest, stations: RequestedStations, received: ReceivedResponse) {
    this.#session = session;
    this.#request = request;
    this.#stations = stations;
    this.#time = session.time();
    this.#storedIds = request.stationIds.filter((id) => stations.has(id));
    const cache = session.former ?? session.cache;
    this.#sources = new Map(this.#storedIds.map((id) => [id, epochSource(cache, stations.get(id) ?? null)]));
    const { writer, hasWitness, hasForeignRows, isPartial, irregularities } = received;
    this.contents = new Map(writer.contents().map((station) => [station.stationId, station]));
    const all = [...this.contents.values()];
    // An outage behind a status 200 looks like stations that sent nothing.
    this.#hasValues = hasWitness || all.some((own) => this.valued(own).length > 0);
    // Rows that belong nowhere may be what is missing.
    const hasUnreadable = (irregularities.unreadableTime ?? 0) + (irregularities.unreadableValue ?? 0) > 0;
    const hasOffGrid = all.some(({ offGrid }) => offGrid > 0);
    this.#mayConfirm = !isPartial && !hasUnreadable && !hasForeignRows && !hasOffGrid;
  }

  /** Compares the response with the cache, and asks for the newest measurements of the stations that it lacks. */
  async compare(newest: NewestMeasurements): Promise<void> {
    const { variables } = this.#request;
    const { cache } = this.#session;
    const absentOf = (id: string, variable: Variable): RangeSet => {
      const expected = this.expected(id, [variable]);
      const times = this.#timesOf(id, variable);
      return gapsBetween(times, expected.range, this.#stepOf(times, expected));
    };
    this.#contradicted = new Set(this.#storedIds.filter((id) => isContradicted(cache, this.#request, id, absentOf)));
    const bringing = this.#storedIds.flatMap((id) =>
      variables
        .filter((v) => bringsAbsent(cache, this.#request, { stationId: id, variable: v }, this.#timesOf(id, v)))
        .map((v) => `${v} ${id}`),
    );
    this.#bringing = new Set(bringing);
    const silentIds = this.#storedIds.filter((id) => this.#mightConfirmSilence(id));
    if (this.#mayConfirm && this.#hasValues) this.#undelivered = await newest.undelivered(silentIds);
  }

  /** The coverage of a series within the request, given that before. */
  readonly judge = (stationId: string, variable: Variable, before: Coverage): Coverage => {
    const { intervalSeconds, raw, range } = this.#request;
    const times = this.#timesOf(stationId, variable);
    const expected = this.expected(stationId, [variable]);
    const series = { stationId, variable, intervalSeconds, raw };
    const isUncertain =
      this.#contradicted.has(stationId) ||
      this.#undelivered.has(stationId) ||
      this.#bringing.has(`${variable} ${stationId}`);
    const isDue = (fetchedAtMs: UtcMs): boolean => this.#isDue(fetchedAtMs);
    const coverage = judgeAnswer(
      {
        ...expected,
        stepSeconds: this.#stepOf(times, expected),
        times,
        intervalSeconds,
        oldUntilMs: confirmableUntil(this.#session, series, this.#stations.get(stationId), { range, times }),
        nowMs: this.#time.nowMs,
        hasValues: this.#hasValues,
        mayConfirm: this.#mayConfirm && !isUncertain,
        hasLosses:
          !this.#mayConfirm ||
          this.#contradicted.has(stationId) ||
          hasUselessRows(this.contents.get(stationId)) ||
          this.#lacksFormer(stationId, variable, times),
        isOldEnough: times.total > 0 ? isDue : (fetchedAtMs) => this.#isOfOtherDay(fetchedAtMs),
        isDue,
      },
      before,
    );
    this.hasAbsences ||= coverage.provisional.length > 0;
    return coverage;
  };

  /** The confirmed absences of the silences that end with this response. */
  endedSilences(): SeriesPart[] {
    return [...this.contents.values()].flatMap((own) => endedSilences(this.#session, this.#request, own));
  }

  /** Reopens the absences that means of this response contradict. */
  reopen(): void {
    for (const own of this.contents.values())
      reopenContradicted(this.#session, this.#request, own, this.#sourceOf(own.stationId));
  }

  /** The requested variables of which a station has a value. */
  valued({ valueTimes }: StationContents): Variable[] {
    return this.#request.variables.filter((variable) => (valueTimes.get(variable)?.total ?? 0) > 0);
  }

  /** The values that a station should have in the response, up to now. */
  expected(stationId: string, variables: readonly Variable[]): ExpectedValues {
    const { intervalSeconds, range } = this.#request;
    const station = this.#stations.get(stationId);
    const facts = {
      historicDataFromMs: station?.historicDataFromMs ?? null,
      hasNeverSent: station?.hasNeverSent ?? false,
    };
    const source = this.#sourceOf(stationId);
    return {
      range: requestableRange(range, { intervalSeconds, nowMs: this.#time.earliestMs, ...facts }),
      stepSeconds: Math.min(...variables.map((variable) => stepSeconds(source, variable, intervalSeconds))),
    };
  }

  #sourceOf(stationId: string): EpochSource {
    return this.#sources.get(stationId) ?? UNKNOWN_STATION;
  }

  #timesOf(stationId: string, variable: Variable): Runs {
    return this.contents.get(stationId)?.valueTimes.get(variable) ?? emptyRuns();
  }

  #stepOf(times: Runs, expected: ExpectedValues): number {
    return this.#request.intervalSeconds === null ? shownStep(times, expected.stepSeconds) : expected.stepSeconds;
  }

  #isDue(fetchedAtMs: UtcMs): boolean {
    return this.#session.isOlder(fetchedAtMs, this.#session.provisionalAgeMs);
  }

  #isOfOtherDay(fetchedAtMs: UtcMs): boolean {
    return this.#isDue(fetchedAtMs) && this.#session.isOlder(fetchedAtMs, OTHER_DAY_MS);
  }

  /** Whether the response has no value of a station, and would confirm what an earlier one lacked. */
  #mightConfirmSilence(stationId: string): boolean {
    const { variables, range } = this.#request;
    const own = this.contents.get(stationId);
    if (own && this.valued(own).length > 0) return false;
    return variables.some((variable) =>
      this.#session.cache
        .coverage(stationId, variable, this.#request)
        .provisional.some((old) => overlap(old.range, range) && this.#isOfOtherDay(old.fetchedAtMs)),
    );
  }

  /** Whether values are missing that the cache has which a refresh compares with. */
  #lacksFormer(stationId: string, variable: Variable, times: Runs): boolean {
    const { former } = this.#session;
    if (former === null) return false;
    const { intervalSeconds, raw, range } = this.#request;
    const known = former.valueTimes({ stationId, variables: [variable], intervalSeconds, raw, range });
    return momentsOnlyIn(known, times).length > 0;
  }
}

/** Whether a station has rows outside of the range, or without a value: they may be what is missing. */
function hasUselessRows(contents: StationContents | undefined): boolean {
  if (contents === undefined) return false;
  const { before, beyond, times, valueTimes } = contents;
  if (before + beyond > 0) return true;
  const ofVariables = [...valueTimes.values()];
  if (ofVariables.some(({ total }) => total === times.total)) return false;
  const left = new Set(momentsOf(times));
  for (const own of ofVariables) for (const timeMs of momentsOf(own)) left.delete(timeMs);
  return left.size > 0;
}
