import type { Pairing } from "#shared/comparison.ts";
import { hPaFactor, type OpenedFile } from "#shared/file/opened.ts";
import type { ConnectionInfo } from "#shared/connection.ts";
import type { PressureChoice } from "#shared/bridge/methods/products.ts";
import { HOUR_MS } from "#shared/time/utc.ts";
import type { bridge } from "../../bridge/index.ts";
import { connectionName, openConnectionId } from "../../stores/connection.ts";
import type { Choices } from "./useCompared.ts";
import type { PartProps } from "./PartFrame.tsx";
import type { ScalarVariable } from "#shared/service/variables.ts";

/** What `products.compare`, `report` and `match` are asked. */
export type ProductQuery = Omit<Parameters<typeof bridge.products.compare>[0], "columns">;

/** Whether a file contains the variable, or one from which it can be derived. */
export function isUsable(file: OpenedFile, variable: ScalarVariable): boolean {
  return has(file, variable) || (variable === "pwv" && has(file, "ztd"));
}

function has({ series }: Product, variable: ScalarVariable): boolean {
  return series.some((s) => s.quantity.variable === variable);
}

/** Whether PWV must be derived for one of the products. */
export function isDerived({ a, b }: Products, variable: ScalarVariable): boolean {
  return variable === "pwv" && (isWithoutPwv(a) || isWithoutPwv(b));
}

function isWithoutPwv(product: Product | null): boolean {
  return product !== null && product.connectionId === undefined && !has(product, "pwv");
}

/** Whether one of the products is a grid, which is interpolated to the sites of the other. */
export function isGridded({ a, b }: Products): boolean {
  return [a, b].some((file) => (file?.grids ?? []).length > 0);
}

export function hasPressure({ series }: OpenedFile): boolean {
  return series.some(({ quantity }) => hPaFactor(quantity) !== null);
}

/** An opened file, or the cache of another connection. */
export interface Product extends Pick<OpenedFile, "id" | "name" | "series" | "grids"> {
  /** Set for the cache of a connection. */
  readonly connectionId?: string;
}

/** The two sides of a comparison; A is null for the selected stations. */
export interface Products {
  readonly a: OpenedFile | null;
  readonly b: Product;
}

export function connectionProduct(info: ConnectionInfo): Product {
  return { id: `connection ${info.id}`, name: connectionName(info), series: [], connectionId: info.id };
}

/**
 * Returns the chosen products; by default the stations and the first file, or without stations the first two files.
 *
 * @param usable files with the variable
 * @param others the caches of other connections, used only if chosen
 */
export function productsOf(
  usable: readonly OpenedFile[],
  others: readonly Product[],
  { fileIdA, fileId }: Pick<Choices, "fileIdA" | "fileId">,
  hasStations: boolean,
): Products | null {
  const wantedB: Product | undefined = [...usable, ...others].find(({ id }) => id === fileId);
  const otherA = usable.find((file) => file !== wantedB);
  const a = usable.find(({ id }) => id === fileIdA) ?? (hasStations ? null : (otherA ?? null));
  const b = wantedB && wantedB !== a ? wantedB : usable.find((file) => file !== a);
  if (b) return a || hasStations ? { a, b } : null;
  return a && hasStations ? { a: null, b: a } : null;
}

const PAIRING_OF: Readonly<Record<Choices["pairing"], Pairing>> = {
  nearest: { kind: "nearest", toleranceMs: null },
  hour: { kind: "mean", intervalMs: HOUR_MS },
  sixHours: { kind: "mean", intervalMs: 6 * HOUR_MS },
  linear: { kind: "linear", mostGapMs: null },
};

export function queryOf(
  { compared, choices }: Pick<PartProps, "compared" | "choices">,
  { a, b }: Products,
): ProductQuery {
  const { zone: _, ...mode } = compared.mode;
  const { variable, pairing, rejected, height, withinKm, pressureFileId: fileId, grid } = choices;
  const pressure: PressureChoice = fileId === null ? { kind: "standard" } : { kind: "file", fileId };
  return {
    connectionId: openConnectionId(),
    fileIdA: a?.id ?? null,
    b:
      b.connectionId === undefined
        ? { kind: "file", fileId: b.id }
        : { kind: "connection", connectionId: b.connectionId },
    stationIds: a ? [] : compared.stations.map((s) => s.id),
    variable,
    range: compared.range,
    mode,
    pairing: PAIRING_OF[pairing],
    rejectSigmas: rejected === "none" ? null : Number(rejected),
    // The methods do not change a formal uncertainty with height.
    height: variable === "ztd_sigma" ? "none" : height,
    withinKm,
    grid,
    pressure: isDerived({ a, b }, variable) ? pressure : null,
  };
}
