import { memo, useLayoutEffect, useRef } from "react";
import "uplot/dist/uPlot.min.css";
import type { PanelModel } from "#shared/plot/panel.ts";
import { quantityTitle } from "#shared/plot/values.ts";
import { LineDrawing } from "../../plot/lineDrawing.ts";
import type { Drawing } from "../../plot/drawing.ts";
import type { Panel } from "../../plot/panel.ts";
import type { Stage } from "../../plot/stage.ts";
import { usePanelHeights } from "./panelHeights.tsx";
import classes from "./series.module.css";
import { ValueRange, type ValueRangeProps } from "./ValueRange.tsx";

interface PanelsProps {
  readonly stage: Stage;
  readonly models: readonly PanelModel[];
  readonly onBounds: (key: string, bounds: readonly [number, number] | null) => void;
}

/** The stacked panels, with a common time axis. React mounts and unmounts them; the stage draws their content. */
export const Panels = memo(function Panels({ stage, models, onBounds }: PanelsProps) {
  const { panels, styleOf, mark } = usePanelHeights(models, 0);
  return (
    <>
      {mark}
      {panels.map((model) => (
        <section
          key={model.quantity.key}
          className={classes["panel"]}
          style={styleOf(model)}
          aria-label={model.quantity.label}
        >
          <PanelHead quantity={model.quantity} bounds={model.bounds} onChange={onBounds} />
          <PanelHost stage={stage} model={model} />
        </section>
      ))}
    </>
  );
});

const PanelHead = memo(function PanelHead(props: ValueRangeProps) {
  return (
    <header className={classes["panelHead"]}>
      <h3>{quantityTitle(props.quantity)}</h3>
      <span className={classes["quiet"]}>{props.quantity.label}</span>
      <span className="flex-1" />
      {props.bounds === null ? null : <ValueRange {...props} />}
    </header>
  );
});

export function PanelHost({ stage, model }: { readonly stage: Stage; readonly model: PanelModel }) {
  const host = usePanel(stage, model, LineDrawing);
  return <div ref={host} className={classes["plot"]} data-variable={model.quantity.key} />;
}

/** Adds a panel to the stage while its host is mounted. @returns the ref of the host */
export function usePanel<Model>(
  stage: Stage,
  model: Model,
  OwnDrawing: new (model: Model) => Drawing<Model>,
): React.RefObject<HTMLDivElement | null> {
  const host = useRef<HTMLDivElement>(null);
  const panel = useRef<Panel<Model>>(null);
  const first = useRef(model);
  first.current = model;
  useLayoutEffect(() => {
    if (!host.current) return;
    const added = stage.addPanel(host.current, new OwnDrawing(first.current));
    panel.current = added;
    return () => {
      panel.current = null;
      stage.removePanel(added);
    };
  }, [stage, OwnDrawing]);
  useLayoutEffect(() => panel.current?.update(model), [model]);
  return host;
}
