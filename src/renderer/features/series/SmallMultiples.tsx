import { memo, useEffect, useRef, useState } from "react";
import { allLines, type PanelModel } from "#shared/plot/panel.ts";
import type { Stage } from "../../plot/stage.ts";
import { followTheme } from "../../plot/theme.ts";
import { quantityTitle } from "#shared/plot/values.ts";
import { Switch } from "../../ui/choices.tsx";
import { PanelHost } from "./Panels.tsx";
import classes from "./series.module.css";
import { ValueRange } from "./ValueRange.tsx";

/** Plots this close to the part in sight are drawn, so that scrolling shows no empty ones. */
const NEAR = "300px 0px";

/** The axis of time below all: a panel without lines, of which the foot is shown. */
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
  /** The panels with all lines, whose limits those of the lines follow. */
  readonly wholes: readonly PanelModel[];
  readonly isOwnScale: boolean;
  readonly onOwnScale: (isOwnScale: boolean) => void;
  readonly onLimits: (key: string, limits: readonly [number, number] | null) => void;
}

/** A plot for each station, below each other, above one axis of time. Only plots in sight are drawn. */
export const SmallMultiples = memo(function SmallMultiples(props: SmallMultiplesProps) {
  const { stage, models, wholes, isOwnScale, onOwnScale, onLimits } = props;
  useEffect(() => followTheme(() => stage.retheme()), [stage]);
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
    const sight = new IntersectionObserver((entries) => setNear(entries.at(-1)?.isIntersecting ?? false), {
      root,
      rootMargin: NEAR,
    });
    sight.observe(box.current);
    return () => sight.disconnect();
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
