import { useEffect, useMemo, useRef, useState } from "react";
import type { PlotTheme } from "#shared/plot/theme.ts";
import { isScalar } from "#shared/service/variables.ts";
import { snapshotsOf } from "../../ask/questions.ts";
import { useAsk } from "../../ask/useAsk.ts";
import { onThemeChange, pageTheme } from "../../plot/theme.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { useNowMs } from "../../stores/clock.ts";
import { useShares } from "../catalogue/CoverageStrip.tsx";
import { type Coloured, type ColouredStations, colourStations } from "./colouring.ts";
import { type Frame, readFrames } from "./frames.ts";
import { type MapOptions, useMapState } from "./mapState.ts";
import { endsOf, mapLook, REDUCED, stationValues } from "./scale.ts";
import type { Snapshot } from "./useSnapshot.ts";

/** Moments of the range that are sampled for the scale. */
const SAMPLED_MOMENTS = 12;

export type MapScale = ReturnType<typeof useScale>;

/**
 * Returns the colour scale of the map, determined from the values of all stations in the whole time range, so that it does
 * not change while playing, and from requested values; in live mode, from their latest values.
 */
export function useScale(by: Coloured, options: MapOptions, snapshot: Snapshot) {
  const quantity = isScalar(by) || by === REDUCED ? by : null;
  const stations = useCatalogue((s) => s.known);
  const { live, serviceValues } = useMapState();
  const { query, firstMs, lastMs, stepMs } = snapshot;
  // Also at other moments, so that the scale does not change with the slider.
  const requested = serviceValues?.key.startsWith(`[${JSON.stringify(query)},`) ? serviceValues.frame : null;
  // Newer data alone change no colours until the next step of the slider.
  const steps = Math.floor((lastMs - firstMs) / stepMs);
  const sampled = Array.from(
    { length: SAMPLED_MOMENTS },
    (_, i) => firstMs + stepMs * Math.round((steps * i) / (SAMPLED_MOMENTS - 1)),
  );
  const input = quantity === null ? null : { ...query, momentsMs: [...new Set(sampled)] };
  const { value } = useAsk(snapshotsOf, input, { delayMs: 0 });
  const sampledEnds = useMemo(() => {
    if (quantity === null || value === null) return null;
    const frames = requested ? [...readFrames(value), requested] : readFrames(value);
    const values = frames.flatMap((frame) => [...stationValues(quantity, stations, frame)]);
    return endsOf(quantity, Float64Array.from(values));
  }, [quantity, stations, value, requested]);
  const liveEnds = useMemo(
    () => (quantity === null || live === null ? null : endsOf(quantity, stationValues(quantity, stations, live))),
    [quantity, stations, live],
  );
  const kept = quantity === null ? null : options.scales[quantity];
  return useMemo(() => {
    const look = quantity === null ? null : mapLook(kept, quantity);
    const automatic = live ? liveEnds : sampledEnds;
    const [low, high] = [look?.low ?? automatic?.[0], look?.high ?? automatic?.[1]];
    const fixed = low !== undefined && high !== undefined && high > low ? ([low, high] as const) : null;
    return {
      /** null if the colours are not a scale of values. */
      quantity,
      look,
      /** Ends determined from the values, used unless the user sets them; null until they are known. */
      automatic,
      fixed,
    };
  }, [quantity, kept, live, liveEnds, sampledEnds]);
}

/** Returns a number that changes with the theme of the page, so that resolved colours are updated. */
export function useThemeTurn(): number {
  const [turn, setTurn] = useState(0);
  useEffect(() => onThemeChange(() => setTurn((n) => n + 1)), []);
  return turn;
}

/** The colours of the map, also for other themes and moments. */
export type ColouredView = ReturnType<typeof useColoured>;

/** @param family identifies the data of the scale: its ends are determined again when it changes */
export function useColoured(by: Coloured, frame: Frame | null, family: string, scale: MapScale) {
  const { networks } = useCatalogue((s) => s.catalogue);
  const stations = useCatalogue((s) => s.known);
  const shares = useShares(by === "coverage");
  const nowMs = useNowMs();
  const turn = useThemeTurn();
  const kept = useRef<{ readonly family: string; readonly domain: ColouredStations["domain"] }>({
    family: "",
    domain: null,
  });
  const key = `${by} ${family}`;
  const shown = isScalar(by) || by === REDUCED ? frame : null;
  const { fixed, look } = scale;
  const ages = by === "freshness" ? nowMs : 0;
  const own = by === "coverage" ? shares : null;
  const coloured = useMemo(() => {
    const domain = kept.current.family === key ? kept.current.domain : null;
    const input = { stations, networks, frame: shown, shares: own ?? NO_SHARES, nowMs: ages, domain, fixed, look };
    const inPage = colourStations(by, input, pageTheme());
    // With the ends of the scale on the page.
    const sameScale = { ...input, domain: inPage.domain };
    return {
      ...inPage,
      inTheme: (theme: PlotTheme) => colourStations(by, sameScale, theme),
      /** Returns the colours of another moment, with the same scale. */
      at: (other: Frame, theme: PlotTheme) => colourStations(by, { ...sameScale, frame: shown && other }, theme),
    };
    // oxlint-disable-next-line react/exhaustive-deps -- `turn` stands for the theme, which is read from the page
  }, [by, stations, networks, shown, own, ages, key, turn, fixed, look]);
  useEffect(() => {
    kept.current = { family: key, domain: coloured.domain };
  }, [key, coloured]);
  return coloured;
}

const NO_SHARES: ReadonlyMap<string, number> = new Map();
