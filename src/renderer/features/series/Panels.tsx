import { MoveVertical } from "lucide-react";
import { memo, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Dialog, DialogTrigger, Popover } from "react-aria-components";
import "uplot/dist/uPlot.min.css";
import { allLines, type PanelModel, type PanelQuantity } from "#shared/plot/panel.ts";
import { exactValue, quantityTitle } from "#shared/plot/values.ts";
import { createPanelView } from "../../plot/panelView.ts";
import type { CreatePanel, PanelHandle, Stage } from "../../plot/stage.ts";
import { onThemeChange } from "../../plot/theme.ts";
import { isPossibleLimit, limitsProblem } from "../../plot/view.ts";
import { Button } from "../../ui/Button.tsx";
import { TextField } from "../../ui/fields.tsx";
import { parseNumber } from "../../ui/NumberField.tsx";
import floating from "../../ui/floating.module.css";
import classes from "./series.module.css";
import { Switch } from "../../ui/choices.tsx";

interface ValueRangeProps {
  readonly quantity: PanelQuantity;
  readonly limits: readonly [number, number] | null;
  readonly onChange: (key: string, limits: readonly [number, number] | null) => void;
}

/** Lets the user fix the limits of a value axis, or return to automatic limits. */
export const ValueRange = memo(function ValueRange({ quantity, limits, onChange }: ValueRangeProps) {
  const label = limits ? `${exactValue(limits[0])} to ${exactValue(limits[1])}` : "Automatic";
  return (
    <DialogTrigger>
      <Button look="quiet" aria-label={`Range of the ${quantity.short} axis: ${label}`}>
        <MoveVertical aria-hidden />
        {label}
      </Button>
      <Popover className={floating["popover"]} placement="bottom end" offset={4}>
        <Dialog className={classes["form"]} aria-label={`Range of the ${quantity.short} axis`}>
          {({ close }) => (
            <LimitsForm
              quantity={quantity}
              limits={limits}
              onChange={(next) => {
                onChange(quantity.key, next);
                close();
              }}
            />
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
});

function LimitsForm(props: {
  readonly quantity: PanelQuantity;
  readonly limits: ValueRangeProps["limits"];
  readonly onChange: (limits: readonly [number, number] | null) => void;
}) {
  const [low, setLow] = useState(props.limits ? String(props.limits[0]) : "");
  const [high, setHigh] = useState(props.limits ? String(props.limits[1]) : "");
  const [isSubmitted, setSubmitted] = useState(false);
  const pair = [parseNumber(low), parseNumber(high)] as const;
  const problem = limitsProblem(props.quantity, ...pair);
  // Shown at the upper limit if only that one is invalid, else at the lower limit.
  const isOfUpper = isPossibleLimit(props.quantity, pair[0]) && !isPossibleLimit(props.quantity, pair[1]);
  const { unit } = props.quantity;
  const labelled = (label: string): string => (unit ? `${label}, ${unit}` : label);
  return (
    <form
      className={classes["fields"]}
      onSubmit={(event) => {
        event.preventDefault();
        setSubmitted(true);
        if (problem === null && pair[0] !== null && pair[1] !== null) props.onChange([pair[0], pair[1]]);
      }}
    >
      <TextField
        label={labelled("Upper limit")}
        value={high}
        onChange={setHigh}
        autoFocus
        problem={isSubmitted && isOfUpper ? problem : null}
      />
      <TextField
        label={labelled("Lower limit")}
        value={low}
        onChange={setLow}
        problem={isSubmitted && !isOfUpper ? problem : null}
      />
      <div className={classes["formActions"]}>
        <Button onPress={() => props.onChange(null)} isDisabled={props.limits === null}>
          Automatic
        </Button>
        <Button type="submit" look="primary">
          Fix
        </Button>
      </div>
    </form>
  );
}

interface PanelsProps {
  readonly stage: Stage;
  readonly models: readonly PanelModel[];
  readonly onLimits: (key: string, limits: readonly [number, number] | null) => void;
}

/** The stacked panels, with a common time axis. React mounts and unmounts them; the stage draws their content. */
export const Panels = memo(function Panels({ stage, models, onLimits }: PanelsProps) {
  useEffect(() => onThemeChange(() => stage.updateTheme()), [stage]);
  return (
    <>
      {models.map((model) => (
        <section key={model.quantity.key} className={classes["panel"]} aria-label={model.quantity.label}>
          <header className={classes["panelHead"]}>
            <h3>{quantityTitle(model.quantity)}</h3>
            <span className={classes["quiet"]}>{model.quantity.label}</span>
            <span className="spring" />
            <ValueRange quantity={model.quantity} limits={model.limits} onChange={onLimits} />
          </header>
          <PanelHost stage={stage} model={model.hasTimeAxis ? { ...model, hasTimeAxis: false } : model} />
        </section>
      ))}
      <TimeAxis stage={stage} />
    </>
  );
});

/** The time axis of all panels, which stays in sight if they have too little room and scroll. */
function TimeAxis({ stage }: { readonly stage: Stage }) {
  return (
    <div className={classes["timeAxis"]} aria-hidden>
      <div>
        <PanelHost stage={stage} model={TIME_AXIS} />
      </div>
    </div>
  );
}

export function PanelHost({ stage, model }: { readonly stage: Stage; readonly model: PanelModel }) {
  const host = usePanel(stage, model, createPanelView);
  return <div ref={host} className={classes["plot"]} data-variable={model.quantity.key} />;
}

/** Adds a panel to the stage while its host is mounted. @returns the ref of the host */
export function usePanel<Model>(
  stage: Stage,
  model: Model,
  create: CreatePanel<Model>,
): React.RefObject<HTMLDivElement | null> {
  const host = useRef<HTMLDivElement>(null);
  const panel = useRef<PanelHandle<Model>>(null);
  const first = useRef(model);
  first.current = model;
  useLayoutEffect(() => {
    if (!host.current) return;
    const added = stage.addPanel(host.current, first.current, create);
    panel.current = added;
    return () => {
      panel.current = null;
      added.remove();
    };
  }, [stage, create]);
  useLayoutEffect(() => panel.current?.update(model), [model]);
  return host;
}

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
      <TimeAxis stage={stage} />
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
