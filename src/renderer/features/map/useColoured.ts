import { useEffect, useMemo, useRef, useState } from "react";
import { isScalar } from "#shared/service/variables.ts";
import type { PlotTheme } from "#shared/plot/theme.ts";
import { followTheme, pageTheme } from "../../plot/theme.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { useNowMs } from "../../stores/clock.ts";
import { useShares } from "../catalogue/coverage.ts";
import { type ColourBy, type Coloured, colouring } from "./colouring.ts";
import type { Frame } from "./frames.ts";
import { REDUCED } from "./scale.ts";
import type { MapScale } from "./useScale.ts";

/** Changes with the theme of the page: colours that were resolved are then those of another. */
export function useThemeTurn(): number {
  const [turn, setTurn] = useState(0);
  useEffect(() => followTheme(() => setTurn((n) => n + 1)), []);
  return turn;
}

/** What the map shows, and the same in the colours of another theme. */
export interface ColouredView extends Coloured {
  inTheme(theme: PlotTheme): Coloured;
  /** The same of another moment, with the same scale. */
  at(frame: Frame, theme: PlotTheme): Coloured;
}

/** @param family what the scale is of: with another one its ends are found anew */
export function useColoured(by: ColourBy, frame: Frame | null, family: string, scale: MapScale): ColouredView {
  const { networks } = useCatalogue((s) => s.catalogue);
  const stations = useCatalogue((s) => s.known);
  const shares = useShares();
  const nowMs = useNowMs();
  const turn = useThemeTurn();
  const kept = useRef<{ readonly family: string; readonly domain: Coloured["domain"] }>({ family: "", domain: null });
  const key = `${by} ${family}`;
  const shown = isScalar(by) || by === REDUCED ? frame : null;
  const { fixed, look } = scale;
  const ages = by === "freshness" ? nowMs : 0;
  const own = by === "coverage" ? shares : null;
  const coloured = useMemo(() => {
    const domain = kept.current.family === key ? kept.current.domain : null;
    const input = { stations, networks, frame: shown, shares: own ?? NO_SHARES, nowMs: ages, domain, fixed, look };
    const inPage = colouring(by, input, pageTheme());
    // With the ends of the scale that the page has.
    const whole = { ...input, domain: inPage.domain };
    return {
      ...inPage,
      inTheme: (theme: PlotTheme) => colouring(by, whole, theme),
      at: (other: Frame, theme: PlotTheme) => colouring(by, { ...whole, frame: shown && other }, theme),
    };
    // oxlint-disable-next-line react/exhaustive-deps -- `turn` stands for the theme, which is read from the page
  }, [by, stations, networks, shown, own, ages, key, turn, fixed, look]);
  useEffect(() => {
    kept.current = { family: key, domain: coloured.domain };
  }, [key, coloured]);
  return coloured;
}

const NO_SHARES: ReadonlyMap<string, number> = new Map();
