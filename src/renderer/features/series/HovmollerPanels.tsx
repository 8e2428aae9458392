import { type PointerEvent, useEffect, useMemo, useRef, useState } from "react";
import type { TimeRange } from "#shared/time/range.ts";
import { paintScene } from "../../plot/figure/paint.ts";
import {
  composeHovmoller,
  type Hovmoller,
  hovmollerBox,
  ROW_ORDERS,
  type RowOrder,
  sortRows,
} from "../../plot/hovmoller.ts";
import type { PanelModel } from "../../plot/panel.ts";
import { readTrack } from "../../plot/readout.ts";
import { followLook, pageTheme } from "../../plot/theme.ts";
import { roundedValue } from "../../plot/values.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { usePane } from "../../stores/workspace.ts";
import { Select, Switch } from "../../ui/choices.tsx";
import { many, utc } from "../../ui/text.ts";
import { SaveHovmoller } from "./SaveHovmoller.tsx";
import classes from "./hovmoller.module.css";

interface Look {
  readonly order: RowOrder;
  readonly isAnomaly: boolean;
}

const ORDERS = [
  { value: "longitude", label: "By longitude" },
  { value: "latitude", label: "By latitude" },
  { value: "distance", label: "By distance from the first" },
] as const;

function readLook(kept: unknown): Look {
  const { order, isAnomaly } = (typeof kept === "object" && kept !== null ? kept : {}) as Partial<Look>;
  return { order: ROW_ORDERS.find((one) => one === order) ?? "longitude", isAnomaly: isAnomaly !== false };
}

interface HovmollerPanelsProps {
  readonly models: readonly PanelModel[];
  readonly view: TimeRange;
}

/** Stations against time, a diagram for each variable: values are colours. */
export function HovmollerPanels({ models, view }: HovmollerPanelsProps) {
  const byId = useCatalogue((s) => s.byId);
  const [look, setLook] = usePane("series.hovmoller", readLook);
  const { order, isAnomaly } = look;
  const diagrams = useMemo(
    () =>
      models.map((model): Hovmoller => ({
        quantity: model.quantity,
        rows: sortRows(model.lines, (id) => byId.get(id), order),
        order,
        isAnomaly,
        view,
        title: `${model.quantity.label}, ${many(model.lines.length, "station")}, Hovmöller diagram`,
      })),
    [models, byId, order, isAnomaly, view],
  );
  return (
    <>
      <div className={classes["tools"]}>
        <Select
          label="Order of the stations"
          choices={ORDERS}
          value={order}
          onChange={(next) => setLook({ ...look, order: next })}
        />
        <Switch isSelected={isAnomaly} onChange={(isOn) => setLook({ ...look, isAnomaly: isOn })}>
          Anomalies
        </Switch>
        <SaveHovmoller diagrams={diagrams} />
      </div>
      {diagrams.map((diagram) => (
        <Diagram key={diagram.quantity.key} diagram={diagram} />
      ))}
    </>
  );
}

function Diagram({ diagram }: { readonly diagram: Hovmoller }) {
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [read, setRead] = useState<string | null>(null);
  const latest = useRef(diagram);
  latest.current = diagram;
  useEffect(() => {
    const draw = (): void => {
      if (!host.current || !canvas.current) return;
      const { clientWidth, clientHeight } = host.current;
      const scene = composeHovmoller(
        latest.current,
        Math.max(320, clientWidth),
        Math.max(160, clientHeight),
        pageTheme(),
      );
      paintScene(scene, canvas.current, devicePixelRatio);
      host.current.dataset["drawn"] = String(latest.current.rows.filter(({ line }) => line.track !== null).length);
    };
    draw();
    return host.current ? followLook(host.current, draw) : undefined;
  }, [diagram]);
  const point = (event: PointerEvent<HTMLDivElement>): void => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    setRead(readAt(diagram, event.clientX - left, event.clientY - top, width, height));
  };
  return (
    <section className={classes["diagram"]} aria-label={diagram.title}>
      <div
        ref={host}
        role="img"
        aria-label={diagram.title}
        className={classes["canvas"]}
        onPointerMove={point}
        onPointerLeave={() => setRead(null)}
      >
        <canvas ref={canvas} aria-hidden />
      </div>
      <p className={classes["read"]}>{read ?? "Point at the diagram to read values."}</p>
    </section>
  );
}

/** "Kallio, 2026-11-20 06:00 UTC: 2,411.3 mm" */
function readAt(
  { rows, view, quantity }: Hovmoller,
  x: number,
  y: number,
  width: number,
  height: number,
): string | null {
  const box = hovmollerBox(width, height);
  const row = rows[Math.floor(((y - box.top) / box.height) * rows.length)];
  if (!row || x < box.left || x > box.left + box.width || y < box.top) return null;
  const perPx = (view.endMs - view.startMs) / box.width;
  const momentMs = view.startMs + (x - box.left) * perPx;
  const found = row.line.track && readTrack(row.line.track, momentMs);
  const value = found ? (found.kind === "row" ? found.value : found.mean) : Number.NaN;
  const words = Number.isNaN(value) ? "no value" : `${roundedValue(value)} ${quantity.unit}`;
  return `${row.line.name}, ${utc(Math.round(momentMs / 60_000) * 60_000).slice(0, 16)} UTC: ${words}`;
}
