import { useEffect, useMemo, useRef, useState } from "react";
import { isScalar } from "#shared/service/variables.ts";
import type { PlotTheme } from "#shared/plot/theme.ts";
import { onThemeChange, pageTheme } from "../../plot/theme.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { useNowMs } from "../../stores/clock.ts";
import { useShares } from "../catalogue/coverage.ts";
import { type ColourBy, type ColouredStations, colourStations } from "./colouring.ts";
import type { Frame } from "./frames.ts";
import { REDUCED } from "./scale.ts";
import type { MapScale } from "./useScale.ts";

/** Returns a number that changes with the theme of the page, so that resolved colours are updated. */
export function useThemeTurn(): number {
  const [turn, setTurn] = useState(0);
  useEffect(() => onThemeChange(() => setTurn((n) => n + 1)), []);
  return turn;
}

/** The colours of the map, also for other themes and moments. */
export interface ColouredView extends ColouredStations {
  inTheme(theme: PlotTheme): ColouredStations;
  /** Returns the colours of another moment, with the same scale. */
  at(frame: Frame, theme: PlotTheme): ColouredStations;
}

/** @param family identifies the data of the scale: its ends are determined again when it changes */
export function useColoured(by: ColourBy, frame: Frame | null, family: string, scale: MapScale): ColouredView {
  const { networks } = useCatalogue((s) => s.catalogue);
  const stations = useCatalogue((s) => s.known);
  const shares = useShares();
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
