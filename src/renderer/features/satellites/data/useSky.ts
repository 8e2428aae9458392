import { useEffect, useRef, useState } from "react";
import { bridge } from "../../../bridge/index.ts";
import { createSkyLoader, NO_SKY, type SkyLoad, type SkyLoader, type SkyQuery } from "./loader.ts";

const REFRESH_MS = 2_000;
/** Where nothing is drawn yet, what arrived is wanted at once. */
const FIRST_MS = 50;

/** The sky of the query as far as it is read, read again when the cache of its station changes. */
export function useSky(query: SkyQuery): SkyLoad & { readonly isOutdated: boolean; retry(): void } {
  const [load, setLoad] = useState<SkyLoad>(NO_SKY);
  const [isOutdated, setOutdated] = useState(false);
  const loader = useRef<SkyLoader | null>(null);
  const isLoading = useRef(false);
  const isEmpty = useRef(false);
  const { connectionId, stationId } = query;

  useEffect(() => {
    const mine = createSkyLoader(bridge.satellites, (next) => {
      isLoading.current = next.isLoading;
      isEmpty.current = next.sky?.timesMs.length === 0;
      setLoad(next);
      if (next.isLoading) setOutdated(false);
    });
    loader.current = mine;
    return () => mine.close();
  }, []);

  const key = JSON.stringify(query);
  useEffect(() => loader.current?.want(JSON.parse(key) as SkyQuery), [key]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const soon = (): void => {
      setOutdated(true);
      timer ??= setTimeout(
        () => {
          timer = undefined;
          // What is being read is read to its end: a long download would else never let it come there.
          if (isLoading.current) soon();
          else loader.current?.refresh();
        },
        isEmpty.current ? FIRST_MS : REFRESH_MS,
      );
    };
    const offCache = bridge.on("cacheChanged", (change) => {
      if (change.connectionId === connectionId && (change.stationIds?.includes(stationId) ?? true)) soon();
    });
    const offEngine = bridge.on("engineRestarted", soon);
    return () => {
      offCache();
      offEngine();
      clearTimeout(timer);
    };
  }, [connectionId, stationId]);

  const isOfQuery = load.query !== null && JSON.stringify(load.query) === key;
  const shown = isOfQuery ? load : { ...NO_SKY, isLoading: true };
  return { ...shown, isOutdated, retry: () => loader.current?.refresh() };
}
