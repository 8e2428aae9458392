import { defined } from "#shared/defined.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { epochSeconds } from "#shared/service/points.ts";
import { floorToInterval } from "#shared/time/range.ts";
import { HOUR_MS } from "#shared/time/utc.ts";
import type { PlannedRequest } from "../planner/types.ts";
import { HOUR_S } from "./contradictions.ts";
import { requestsFor } from "./questionRequests.ts";
import type { Session } from "./session.ts";
import { hasAnyValue, type RequestCounter } from "./suspicions.ts";

/**
 * Asks for the newest measurements that the catalogue names, for one job. If the service does not deliver them, its
 * responses lack the station, and the absence of its rows proves nothing. Raw data show it also where the quality filter
 * rejects everything.
 */
export class NewestMeasurements {
  readonly #session: Session;
  readonly #stations: ReadonlyMap<string, CatalogueStation>;
  readonly #statistics: RequestCounter;
  readonly #signal: AbortSignal;
  /** By the id of the station. */
  readonly #delivered = new Map<string, Promise<boolean>>();

  constructor(
    session: Session,
    stations: ReadonlyMap<string, CatalogueStation>,
    statistics: RequestCounter,
    signal: AbortSignal,
  ) {
    this.#session = session;
    this.#stations = stations;
    this.#statistics = statistics;
    this.#signal = signal;
  }

  /** Returns the stations whose newest measurement the service did not deliver; one without a known time is not asked about. */
  async undelivered(stationIds: readonly string[]): Promise<ReadonlySet<string>> {
    const { latestMs } = this.#session.time();
    const asked = stationIds.filter((id) => (this.#stations.get(id)?.dataLastUpdatedMs ?? null) !== null);
    const questions = asked
      .filter((id) => !this.#delivered.has(id))
      .map((stationId) => {
        const newestMs = Math.min(this.#stations.get(stationId)?.dataLastUpdatedMs ?? latestMs, latestMs);
        const hourMs = floorToInterval(newestMs, HOUR_S);
        return { stationId, variable: "ztd" as const, range: { startMs: hourMs - HOUR_MS, endMs: hourMs + HOUR_MS } };
      });
    const epochSecondsOf = (id: string): number => epochSeconds(defined(this.#stations.get(id)));
    const mode = { intervalSeconds: null, raw: true };
    const answers = requestsFor({ session: this.#session, epochSecondsOf }, questions, mode).map((one) =>
      this.#ask(one),
    );
    // A low limit cuts the time of a station.
    const all = Promise.all(answers);
    for (const { stationId: id } of questions)
      this.#delivered.set(
        id,
        all.then((parts) => parts.some((found) => found.has(id))),
      );
    const found = await Promise.all(asked.map(async (id) => ((await this.#delivered.get(id)) ? [] : [id])));
    return new Set(found.flat());
  }

  async #ask({ stationIds, variables, intervalSeconds, raw, range }: PlannedRequest): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    this.#statistics.sent();
    await this.#session.client.timeSeries(
      { stationIds, variables, intervalSeconds, raw, ...range },
      {
        onRows: (block) => void (hasAnyValue(block, range) && found.add(block.stationId)),
        names: stationIds.map((id) => this.#stations.get(id) ?? { id }),
      },
      this.#signal,
    );
    this.#statistics.ended();
    return found;
  }
}
