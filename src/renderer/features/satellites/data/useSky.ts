import { useEffect, useRef, useState } from "react";
import { bridge } from "../../../bridge/index.ts";
import { createSkyLoader, NO_SKY, type SkyLoad, type SkyLoader, type SkyQuery } from "./loader.ts";

const REFRESH_MS = 2_000;
/** Delay while nothing is drawn yet. */
const FIRST_REFRESH_MS = 50;

/** Reads the sky of a query, again whenever the cache of its station changes. */
export function useSky(query: SkyQuery): SkyLoad & { readonly isOutdated: boolean; retry(): void } {
  const [load, setLoad] = useState<SkyLoad>(NO_SKY);
  const [isOutdated, setOutdated] = useState(false);
  const loader = useRef<SkyLoader | null>(null);
  const isLoading = useRef(false);
  const isEmpty = useRef(false);
  const { connectionId, stationId } = query;

  useEffect(() => {
    const created = createSkyLoader(bridge.satellites, (next) => {
      isLoading.current = next.isLoading;
      isEmpty.current = next.sky?.timesMs.length === 0;
      setLoad(next);
      if (next.isLoading) setOutdated(false);
    });
    loader.current = created;
    return () => created.close();
  }, []);

  const key = JSON.stringify(query);
  useEffect(() => loader.current?.read(JSON.parse(key) as SkyQuery), [key]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refreshSoon = (): void => {
      setOutdated(true);
      timer ??= setTimeout(
        () => {
          timer = undefined;
          // Reading is completed first; otherwise it would never finish during a long download.
          if (isLoading.current) refreshSoon();
          else loader.current?.refresh();
        },
        isEmpty.current ? FIRST_REFRESH_MS : REFRESH_MS,
      );
    };
    const offCache = bridge.on("cacheChanged", (change) => {
      if (change.connectionId === connectionId && (change.stationIds?.includes(stationId) ?? true)) refreshSoon();
    });
    const offEngine = bridge.on("engineRestarted", refreshSoon);
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
