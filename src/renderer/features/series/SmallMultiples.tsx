import { memo, useEffect, useRef, useState } from "react";
import { allLines, type PanelModel } from "#shared/plot/panel.ts";
import type { Stage } from "../../plot/stage.ts";
import { onThemeChange } from "../../plot/theme.ts";
import { quantityTitle } from "#shared/plot/values.ts";
import { Switch } from "../../ui/choices.tsx";
import { PanelHost, ValueRange } from "./Panels.tsx";
import classes from "./series.module.css";

/** Plots this close to the visible part are drawn too, so that scrolling shows no empty ones. */
const DRAW_MARGIN = "300px 0px";

/** The common time axis: a panel without lines, of which only the bottom is visible. */
const TIME_AXIS: PanelModel = {
  quantity: { key: "time", short: "", label: "", unit: "" },
  lines: [],
  fromFiles: [],
  gaps: [],
  limits: null,
  hasTimeAxis: true,
};

export function readOwnScale(kept: unknown): boolean {
  return kept === true;
}

interface SmallMultiplesProps {
  readonly stage: Stage;
  /** A panel for each line. */
  readonly models: readonly PanelModel[];
  /** The panels with all lines, which determine common limits. */
  readonly wholes: readonly PanelModel[];
  readonly isOwnScale: boolean;
  readonly onOwnScale: (isOwnScale: boolean) => void;
  readonly onLimits: (key: string, limits: readonly [number, number] | null) => void;
}

/** A plot for each station, one below the other, with a common time axis. Only visible plots are drawn. */
export const SmallMultiples = memo(function SmallMultiples(props: SmallMultiplesProps) {
  const { stage, models, wholes, isOwnScale, onOwnScale, onLimits } = props;
  useEffect(() => onThemeChange(() => stage.updateTheme()), [stage]);
  return (
    <>
      <div className={classes["smallTools"]}>
        <Switch isSelected={isOwnScale} onChange={onOwnScale}>
          Own scale
        </Switch>
        {isOwnScale
          ? null
          : wholes.map(({ quantity, limits }) => (
              <span key={quantity.key} className={classes["limits"]}>
                {quantityTitle(quantity)}
                <ValueRange quantity={quantity} limits={limits} onChange={onLimits} />
              </span>
            ))}
      </div>
      {models.map((model) => (
        <SmallPlot key={`${model.quantity.key} ${lineIdOf(model)}`} stage={stage} model={model} />
      ))}
      <div className={classes["timeAxis"]} aria-hidden>
        <div>
          <PanelHost stage={stage} model={TIME_AXIS} />
        </div>
      </div>
    </>
  );
});

function lineIdOf(model: PanelModel): string {
  return allLines(model)[0]?.stationId ?? "";
}

function SmallPlot({ stage, model }: { readonly stage: Stage; readonly model: PanelModel }) {
  const box = useRef<HTMLElement>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (!box.current) return;
    const root = box.current.parentElement;
    const observer = new IntersectionObserver((entries) => setNear(entries.at(-1)?.isIntersecting ?? false), {
      root,
      rootMargin: DRAW_MARGIN,
    });
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  const { heading = "", quantity } = model;
  return (
    <section
      ref={box}
      className={classes["small"]}
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
