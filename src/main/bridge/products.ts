import { comparisonReport } from "#formats/report/index.ts";
import type { Handlers } from "#shared/bridge/method.ts";
import type { products } from "#shared/bridge/methods/products.ts";
import { success } from "#shared/service/error.ts";
import { compareCommand } from "../app/comparison/command.ts";
import { compareProduct, comparedProduct, matchByHand, sourcesOf } from "../app/comparison/product.ts";
import { createPace } from "../app/reading/pace.ts";
import { PROGRAM } from "../program.ts";
import { type Core, withConnection } from "./core.ts";

export function productHandlers(core: Core): Handlers<typeof products> {
  const { app } = core;
  const nameOfFile = (fileId: string): string | null => app.files.list().find(({ id }) => id === fileId)?.name ?? null;
  return {
    compare: (query, { signal }) =>
      withConnection(core, query.connectionId, (connection) => compareProduct(app, connection, query, signal)),
    report: (query, { signal }) =>
      withConnection(core, query.connectionId, async (connection) => {
        const sources = sourcesOf(app, connection, query, signal);
        if (!sources.ok) return sources;
        const compared = await comparedProduct(app, sources.value, query, createPace(signal));
        if (!compared.ok) return compared;
        const command = compareCommand(query, {
          fileNameA: query.fileIdA === null ? null : sources.value.a.name,
          fileName: sources.value.b.name,
          pressureName: query.pressure?.kind === "file" ? nameOfFile(query.pressure.fileId) : null,
          connectionName: connection.record.name,
          dataFolder: core.ports.dataFolder,
        });
        const facts = { program: PROGRAM, madeAtMs: Date.now(), command };
        return success(await comparisonReport(compared.value, facts, query.format));
      }),
    match: (query, { signal }) =>
      withConnection(core, query.connectionId, (connection) => {
        const sources = sourcesOf(app, connection, query, signal);
        if (!sources.ok) return sources;
        return matchByHand(app, sources.value, query.stationId, query.siteId);
      }),
  };
}
