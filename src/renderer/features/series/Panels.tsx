import { MoveVertical } from "lucide-react";
import { memo, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { Dialog, DialogTrigger, Popover } from "react-aria-components";
import "uplot/dist/uPlot.min.css";
import { allLines, type PanelModel, type PanelQuantity } from "#shared/plot/panel.ts";
import { exactValue, quantityTitle } from "#shared/plot/values.ts";
import { AXIS_TIME_PX } from "../../plot/options.ts";
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
        <Dialog className="stack gap-3 w-[300px] p-4 outline-none" aria-label={`Range of the ${quantity.short} axis`}>
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
      className="stack gap-3"
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
      <div className="flex justify-end gap-2">
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

/** Height of a heading above its plot. */
const HEADING_PX = 28;
/** Minimum height of a plot between its heading and the time axis. */
const MIN_PLOT_PX = 124;
const MIN_PANEL_PX = HEADING_PX + MIN_PLOT_PX;

/** Heights of panels below each other, in pixels. */
interface PanelHeights {
  /** Height of each panel if they have to scroll, which fits a whole number of them; null if all fit. */
  readonly scrolledPx: number | null;
}

/**
 * Divides the height of the scrolling parent among its panels. Panels shrink to a minimum, then scroll: each is then
 * complete with its own time axis, and a whole number of them is visible.
 *
 * @param reservedPx height in the parent that panels cannot use
 */
function usePanelHeights(count: number, reservedPx: number): PanelHeights & { readonly mark: React.ReactNode } {
  const mark = useRef<HTMLSpanElement>(null);
  const [scrolledPx, setScrolledPx] = useState<number | null>(null);
  useLayoutEffect(() => {
    const scroller = mark.current?.parentElement;
    if (!scroller) return;
    const measure = (): void => setScrolledPx(scrolledHeight(count, scroller.clientHeight - reservedPx));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(scroller);
    return () => observer.disconnect();
  }, [count, reservedPx]);
  return { scrolledPx, mark: <span ref={mark} hidden /> };
}

/** Returns the height of each of `count` panels that do not fit; null if they fit with one time axis. */
export function scrolledHeight(count: number, availablePx: number): number | null {
  if (count * MIN_PANEL_PX + AXIS_TIME_PX <= availablePx) return null;
  const visible = Math.max(1, Math.floor(availablePx / (MIN_PANEL_PX + AXIS_TIME_PX)));
  return Math.max(MIN_PANEL_PX + AXIS_TIME_PX, Math.floor(availablePx / visible));
}

/** Gives the last panel a time axis, or every panel if they scroll. */
function withTimeAxes(models: readonly PanelModel[], isScrolled: boolean): PanelModel[] {
  return models.map((model, i) => {
    const hasTimeAxis = isScrolled || i === models.length - 1;
    return hasTimeAxis === model.hasTimeAxis ? model : { ...model, hasTimeAxis };
  });
}

interface PanelsProps {
  readonly stage: Stage;
  readonly models: readonly PanelModel[];
  readonly onLimits: (key: string, limits: readonly [number, number] | null) => void;
}

/** The stacked panels, with a common time axis. React mounts and unmounts them; the stage draws their content. */
export const Panels = memo(function Panels({ stage, models, onLimits }: PanelsProps) {
  useEffect(() => onThemeChange(() => stage.updateTheme()), [stage]);
  const { scrolledPx, mark } = usePanelHeights(models.length, 0);
  const panels = useMemo(() => withTimeAxes(models, scrolledPx !== null), [models, scrolledPx]);
  return (
    <>
      {mark}
      {panels.map((model) => (
        <section
          key={model.quantity.key}
          className={classes["panel"]}
          style={heightStyle(model, scrolledPx)}
          aria-label={model.quantity.label}
        >
          <PanelHead quantity={model.quantity} limits={model.limits} onChange={onLimits} />
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
      {props.limits === null ? null : <ValueRange {...props} />}
    </header>
  );
});

/** Panels that fit share the height, with equally high plots; others have the same height. */
function heightStyle({ hasTimeAxis }: PanelModel, scrolledPx: number | null): React.CSSProperties {
  if (scrolledPx !== null) return { flex: "none", height: scrolledPx };
  return { flex: `1 0 ${MIN_PANEL_PX + (hasTimeAxis ? AXIS_TIME_PX : 0)}px` };
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

/** Height of the tools above the plots, which stay in sight. */
const SMALL_TOOLS_PX = 32;

/** A plot for each station, one below the other, with a common time axis. Only visible plots are drawn. */
export const SmallMultiples = memo(function SmallMultiples(props: SmallMultiplesProps) {
  const { stage, models, wholes, isOwnScale, onOwnScale, onLimits } = props;
  useEffect(() => onThemeChange(() => stage.updateTheme()), [stage]);
  const { scrolledPx, mark } = usePanelHeights(models.length, SMALL_TOOLS_PX);
  const panels = useMemo(() => withTimeAxes(models, scrolledPx !== null), [models, scrolledPx]);
  return (
    <>
      {mark}
      <div className={classes["smallTools"]}>
        <Switch isSelected={isOwnScale} onChange={onOwnScale}>
          Own scale
        </Switch>
        {isOwnScale
          ? null
          : wholes.map(({ quantity, limits }) => (
              <span key={quantity.key} className="inline-row gap-1 text-quiet">
                {quantityTitle(quantity)}
                <ValueRange quantity={quantity} limits={limits} onChange={onLimits} />
              </span>
            ))}
      </div>
      {panels.map((model) => (
        <SmallPlot
          key={`${model.quantity.key} ${lineIdOf(model)}`}
          stage={stage}
          model={model}
          style={heightStyle(model, scrolledPx)}
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
