import { SCALAR_VARIABLES, type ScalarVariable } from "#shared/service/variables.ts";
import { floorToInterval } from "#shared/time/range.ts";
import {
  QUALITY,
  type EpochBlock,
  type Quality,
  type World,
  type WorldNetwork,
  type WorldStation,
} from "#service/world/types.ts";

/** One observation of the tiny world; an omitted number has no value. */
export interface TinyEpoch {
  readonly time: string;
  readonly quality?: Quality;
  readonly ztd?: number;
  readonly sigma?: number;
  readonly pwv?: number;
  /** Number of satellites, from which their texts are generated. */
  readonly satellites?: number;
}

export interface TinyStation extends Partial<WorldStation> {
  readonly epochs?: readonly TinyEpoch[];
}

const CREATED_MS = Date.UTC(2020, 0, 1);

/** Readable UUIDs: `uuid(7)` ends in 7. */
export function uuid(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
}

export function tinyNetwork(n: number, change: Partial<WorldNetwork> = {}): WorldNetwork {
  return {
    id: uuid(900 + n),
    code: `NET${n}`,
    name: `Network ${n}`,
    owner: "a",
    isInternal: false,
    visibility: "public",
    createdAtMs: CREATED_MS,
    updatedAtMs: CREATED_MS,
    ...change,
  };
}

/** A world of a few stations with observations from the test; station n has `uuid(n)`, from 1. */
export function tinyWorld(plans: readonly TinyStation[], networks: readonly WorldNetwork[] = [tinyNetwork(1)]): World {
  const epochs = new Map<string, readonly TinyEpoch[]>();
  const stations = plans.map((plan, i): WorldStation => {
    const { epochs: own = [], ...change } = plan;
    const times = own.map((e) => Date.parse(e.time));
    const station: WorldStation = {
      id: uuid(i + 1),
      displayName: `Station ${i + 1}`,
      mountpoint: `MP${i + 1}`,
      sourceType: "cors",
      resolutionSeconds: 30,
      nativeSeconds: 30,
      locationAlias: `Place ${i + 1}`,
      countryCode: "FI",
      latitudeDeg: 60 + i,
      longitudeDeg: 25 + i,
      ellipsoidalHeight: 100,
      geoidUndulation: 20,
      network: networks[0]!,
      firstDataMs: times.length > 0 ? Math.min(...times) : null,
      lastDataMs: null,
      latencyMs: 0,
      createdAtMs: CREATED_MS,
      updatedAtMs: CREATED_MS,
      ...change,
    };
    epochs.set(station.id, own);
    return station;
  });
  const known = (station: WorldStation, nowMs: number) =>
    epochs.get(station.id)!.filter((e) => Date.parse(e.time) + station.latencyMs <= nowMs);
  return {
    seed: 0,
    networks,
    stations,
    station: (id) => stations.find((s) => s.id === id),
    lastUpdated: (station, nowMs) => {
      const times = known(station, nowMs).map((e) => Date.parse(e.time));
      return times.length > 0 ? Math.max(...times) : null;
    },
    observed: (station, request) =>
      known(station, request.nowMs)
        .map((e) => ({ quality: e.quality ?? "none", startMs: Date.parse(e.time), endMs: Date.parse(e.time) + 1 }))
        .filter((e) => e.startMs >= request.startMs && e.startMs < request.endMs),
    *epochs(station, request, blockRows = 4096) {
      const inRange = known(station, request.nowMs).filter((e) => {
        const time = Date.parse(e.time);
        return time >= request.startMs && time < request.endMs;
      });
      for (let i = 0; i < inRange.length; i += blockRows) {
        yield blockOf(inRange.slice(i, i + blockRows), request.satellites);
      }
    },
  };
}

function blockOf(epochs: readonly TinyEpoch[], satellites: boolean): EpochBlock {
  const texts = (item: (n: number) => string) =>
    epochs.map((e) => (satellites ? Array.from({ length: e.satellites ?? 2 }, (_, n) => item(n)).join(",") : null));
  const nothing = Object.fromEntries(
    SCALAR_VARIABLES.map((name) => [name, new Float64Array(epochs.length).fill(Number.NaN)]),
  ) as Record<ScalarVariable, Float64Array>;
  return {
    count: epochs.length,
    timesMs: Float64Array.from(epochs, (e) => Date.parse(e.time)),
    quality: Uint8Array.from(epochs, (e) => QUALITY.indexOf(e.quality ?? "none")),
    columns: {
      ...nothing,
      ztd: Float64Array.from(epochs, (e) => e.ztd ?? Number.NaN),
      ztd_sigma: Float64Array.from(epochs, (e) => e.sigma ?? Number.NaN),
      pwv: Float64Array.from(epochs, (e) => e.pwv ?? Number.NaN),
      prn: texts((n) => `G0${n + 1}`),
      el: texts((n) => `${10 + n}.5`),
      az: texts((n) => `${100 + n}.5`),
      snr: texts((n) => `4${n}.0/3${n}.0`),
    },
  };
}

/** The expected response to an interval query, computed independently of the service from rows of a native response. */
export function meansOf(
  rows: readonly Readonly<Record<string, unknown>>[],
  variables: readonly string[],
  intervalSeconds: number,
): Record<string, unknown>[] {
  const groups = new Map<string, Readonly<Record<string, unknown>>[]>();
  for (const row of rows) {
    const start = new Date(floorToInterval(Date.parse(row["timestamp"] as string), intervalSeconds)).toISOString();
    const key = `${start} ${String(row["station_id"])}`;
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return [...groups].map(([key, group]) => ({
    timestamp: key.split(" ")[0],
    station_id: group[0]!["station_id"],
    display_name: group[0]!["display_name"],
    ...Object.fromEntries(variables.map((name) => [name, summary(group, name)])),
  }));
}

function summary(group: readonly Readonly<Record<string, unknown>>[], name: string): unknown {
  if (!["ztd", "ztd_sigma", "pwv"].includes(name)) return group[0]![name];
  const values = group.map((row) => row[name]).filter((value): value is number => typeof value === "number");
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
