import { comparisonReport } from "#formats/report/index.ts";
import type { Handlers } from "#shared/bridge/method.ts";
import type { ComparedB, products } from "#shared/bridge/methods/products.ts";
import type { AppFault } from "#shared/fault.ts";
import { type Result, success } from "#shared/service/error.ts";
import {
  compareCommand,
  comparedProduct,
  compareProduct,
  type Connections,
  saveManualMatch,
  sourcesOf,
} from "../app/comparison/product.ts";
import { createPace } from "../app/pace.ts";
import { PROGRAM } from "../program.ts";
import { type Core, withConnection } from "./core.ts";

export function productHandlers(core: Core): Handlers<typeof products> {
  const { app } = core;
  const nameOfFile = (fileId: string): string | null => app.files.list().find(({ id }) => id === fileId)?.name ?? null;
  return {
    compare: (query, { signal }) =>
      withBoth(core, query, (connections) => compareProduct(app, connections, query, signal)),
    report: (query, { signal }) =>
      withBoth(core, query, async (connections) => {
        const sources = sourcesOf(app, connections, query, signal);
        if (!sources.ok) return sources;
        const compared = await comparedProduct(app, sources.value, query, createPace(signal));
        if (!compared.ok) return compared;
        const command = compareCommand(query, {
          fileNameA: query.fileIdA === null ? null : sources.value.a.name,
          nameB: connections.other ? `cache:${connections.other.record.name}` : sources.value.b.name,
          pressureName: query.pressure?.kind === "file" ? nameOfFile(query.pressure.fileId) : null,
          connectionName: connections.own.record.name,
          dataFolder: core.ports.dataFolder,
        });
        const facts = { program: PROGRAM, madeAtMs: Date.now(), command };
        return success(comparisonReport(compared.value, facts));
      }),
    match: (query, { signal }) =>
      withBoth(core, query, (connections) => {
        const sources = sourcesOf(app, connections, query, signal);
        if (!sources.ok) return sources;
        return saveManualMatch(app, sources.value, query.stationId, query.siteId);
      }),
  };
}

/** Opens the connection of A, and the one of B if B is not a file. */
function withBoth<T>(
  core: Core,
  { connectionId, b }: { readonly connectionId: string; readonly b: ComparedB },
  work: (connections: Connections) => Result<T, AppFault> | Promise<Result<T, AppFault>>,
): Promise<Result<T, AppFault>> {
  return withConnection(core, connectionId, (own) =>
    b.kind === "connection"
      ? withConnection(core, b.connectionId, (other) => work({ own, other }))
      : work({ own, other: null }),
  );
}
