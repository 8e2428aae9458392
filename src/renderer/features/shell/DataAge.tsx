import { useMemo } from "react";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { useNowMs } from "../../stores/clock.ts";
import { useConnection } from "../../stores/connection.ts";
import { ago, utcMinutes } from "../../ui/text.ts";
import classes from "./status.module.css";

/** Newest measurement that the service has told of, UTC milliseconds; null where it told of none. */
export function newestMs(stations: readonly Pick<CatalogueStation, "dataLastUpdatedMs">[]): number | null {
  let newest: number | null = null;
  for (const { dataLastUpdatedMs: ms } of stations) if (ms !== null && (newest === null || ms > newest)) newest = ms;
  return newest;
}

/** How far the data of the service go, as the catalogue says; offline, how old that word is. */
export function DataAge() {
  const catalogue = useCatalogue((s) => s.catalogue);
  const isOffline = useConnection((s) => s.connectivity?.state === "offline");
  const nowMs = useNowMs();
  const dataMs = useMemo(() => newestMs(catalogue.stations), [catalogue]);
  const { fetchedAtMs } = catalogue;
  if (fetchedAtMs === null) return null;
  if (isOffline) return <span className={classes["late"]}>as known {ago(fetchedAtMs, nowMs)}</span>;
  if (dataMs === null) return null;
  const age = ago(dataMs, nowMs);
  const newest = age === "just now" ? "now" : age;
  return <span title={`Newest measurement ${utcMinutes(dataMs)} UTC`}>data to {newest}</span>;
}
