import { variableInfo } from "#shared/service/variables.ts";
import { bridge } from "../../bridge/index.ts";
import { nameAndUnit } from "../../plot/values.ts";
import type { RowQuery, RowSource } from "./source.ts";

/** The rows of a station as the cache holds them. */
export function cacheRows(query: RowQuery): RowSource {
  const { connectionId, stationId, variables, range } = query;
  return {
    key: JSON.stringify(query),
    columns: variables.map((variable) => {
      const { meaning, kind } = variableInfo(variable);
      const look = kind === "scalar" ? ("number" as const) : ("text" as const);
      return { id: variable, heading: nameAndUnit(variable), copiedAs: variable, meaning, kind: look };
    }),
    range,
    page: (part, offset, limit, signal) =>
      bridge.series.page({ ...query, range: part, offset, limit }, signal ? { signal } : {}),
    follow(changed) {
      const off = [
        bridge.on("cacheChanged", (change) => {
          const isMine = change.stationIds === null || change.stationIds.includes(stationId);
          if (change.connectionId === connectionId && isMine) changed();
        }),
        bridge.on("engineRestarted", changed),
      ];
      return () => {
        for (const each of off) each();
      };
    },
    cached: query,
  };
}
