import { memo, useEffect, useRef, useState } from "react";
import { allLines, type PanelModel } from "#shared/plot/panel.ts";
import { quantityTitle } from "#shared/plot/values.ts";
import type { Stage } from "../../plot/stage.ts";
import { Switch } from "../../ui/choices.tsx";
import { usePanelHeights } from "./panelHeights.tsx";
import { PanelHost } from "./Panels.tsx";
import classes from "./series.module.css";
import { ValueRange } from "./ValueRange.tsx";

/** Plots this close to the visible part are drawn too, so that scrolling shows no empty ones. */
const DRAW_MARGIN = "300px 0px";

interface SmallMultiplesProps {
  readonly stage: Stage;
  /** A panel for each line. */
  readonly models: readonly PanelModel[];
  /** The panels with all lines, which determine common bounds. */
  readonly wholes: readonly PanelModel[];
  readonly isOwnScale: boolean;
  readonly onOwnScale: (isOwnScale: boolean) => void;
  readonly onBounds: (key: string, bounds: readonly [number, number] | null) => void;
}

/** Height of the tools above the plots, which stay in sight. */
const SMALL_TOOLS_PX = 32;

/** A plot for each station, one below the other, with a common time axis. Only visible plots are drawn. */
export const SmallMultiples = memo(function SmallMultiples(props: SmallMultiplesProps) {
  const { stage, models, wholes, isOwnScale, onOwnScale, onBounds } = props;
  const { panels, styleOf, mark } = usePanelHeights(models, SMALL_TOOLS_PX);
  return (
    <>
      {mark}
      <div className={classes["smallTools"]}>
        <Switch value={isOwnScale} onChange={onOwnScale}>
          Own scale
        </Switch>
        {isOwnScale
          ? null
          : wholes.map(({ quantity, bounds }) => (
              <span key={quantity.key} className="inline-row gap-1 text-quiet">
                {quantityTitle(quantity)}
                <ValueRange quantity={quantity} bounds={bounds} onChange={onBounds} />
              </span>
            ))}
      </div>
      {panels.map((model) => (
        <SmallPlot
          key={`${model.quantity.key} ${lineIdOf(model)}`}
          stage={stage}
          model={model}
          style={styleOf(model)}
        />
      ))}
    </>
  );
});

function lineIdOf(model: PanelModel): string {
  return allLines(model)[0]?.stationId ?? "";
}

interface SmallPlotProps {
  readonly stage: Stage;
  readonly model: PanelModel;
  readonly style: React.CSSProperties;
}

function SmallPlot({ stage, model, style }: SmallPlotProps) {
  const box = useRef<HTMLElement>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (!box.current) return;
    const observer = new IntersectionObserver((entries) => setNear(entries.at(-1)?.isIntersecting ?? false), {
      scrollMargin: DRAW_MARGIN,
    });
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  const { heading = "", quantity } = model;
  return (
    <section
      ref={box}
      className={classes["panel"]}
      style={style}
      aria-label={`${heading}, ${quantity.label}`}
      data-line={lineIdOf(model)}
    >
      <header className={classes["panelHead"]}>
        <h3>{heading}</h3>
        <span className={classes["quiet"]}>{quantityTitle(quantity)}</span>
      </header>
      {isNear ? <PanelHost stage={stage} model={model} /> : null}
    </section>
  );
}
