import { useEffect, useMemo } from "react";
import type { TimeRange } from "#shared/time/range.ts";
import { groupsFirst } from "#shared/station/group.ts";
import { fieldsOf } from "../../stores/workspaceSchema.ts";
import { type Hovmoller, ROW_ORDERS, type RowOrder, sortRows } from "../../plot/hovmoller.ts";
import { createHovmollerView } from "../../plot/hovmollerView.ts";
import type { PanelModel } from "#shared/plot/panel.ts";
import type { Stage } from "../../plot/stage.ts";
import { onThemeChange } from "../../plot/theme.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { useGroupPlaces } from "../../stores/groups.ts";
import { usePane } from "../../stores/workspace.ts";
import { Select, Switch } from "../../ui/choices.tsx";
import { many } from "../../ui/text.ts";
import { useCursor } from "./cursor.ts";
import classes from "./hovmoller.module.css";
import { usePanel } from "./Panels.tsx";
import { Readout } from "./Readout.tsx";
import { SaveHovmoller } from "./SaveHovmoller.tsx";

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
  const { order, isAnomaly } = fieldsOf(kept);
  return { order: ROW_ORDERS.find((one) => one === order) ?? "longitude", isAnomaly: isAnomaly !== false };
}

/** Returns a diagram for each variable, with stations in the chosen order, grouped stations first if the user wants that. */
export function useHovmoller(models: readonly PanelModel[], view: TimeRange): readonly Hovmoller[] {
  const byId = useCatalogue((s) => s.byId);
  const places = useGroupPlaces();
  const [{ order, isAnomaly }] = usePane("series.hovmoller", readLook);
  return useMemo(
    () =>
      models.map((model): Hovmoller => {
        const rows = sortRows(model.lines, (id) => byId.get(id), order);
        return {
          quantity: model.quantity,
          rows: groupsFirst(rows, ({ line }) => line.stationId, places),
          order,
          isAnomaly,
          gaps: model.gaps,
          view,
          title: `${model.quantity.label}, ${many(model.lines.length, "station")}, Hovmöller diagram`,
        };
      }),
    [models, byId, places, order, isAnomaly, view],
  );
}

interface HovmollerPanelsProps {
  readonly stage: Stage;
  readonly diagrams: readonly Hovmoller[];
}

/** Hovmöller diagrams, one for each variable. */
export function HovmollerPanels({ stage, diagrams }: HovmollerPanelsProps) {
  const [look, setLook] = usePane("series.hovmoller", readLook);
  useEffect(() => onThemeChange(() => stage.updateTheme()), [stage]);
  return (
    <>
      <div className={classes["tools"]}>
        <Select
          label="Order of the stations"
          choices={ORDERS}
          value={look.order}
          onChange={(order) => setLook({ ...look, order })}
        />
        <Switch isSelected={look.isAnomaly} onChange={(isAnomaly) => setLook({ ...look, isAnomaly })}>
          Anomalies
        </Switch>
        <SaveHovmoller diagrams={diagrams} />
      </div>
      {diagrams.map((diagram) => (
        <Diagram key={diagram.quantity.key} stage={stage} diagram={diagram} />
      ))}
    </>
  );
}

function Diagram({ stage, diagram }: { readonly stage: Stage; readonly diagram: Hovmoller }) {
  const host = usePanel(stage, diagram, createHovmollerView);
  return (
    <section className={classes["diagram"]} aria-label={diagram.title}>
      <div ref={host} role="img" aria-label={diagram.title} className={classes["canvas"]} />
    </section>
  );
}

/** The values at the cursor of the station in whose row it is. */
export function HovmollerReadout({ stage, models }: { readonly stage: Stage; readonly models: readonly PanelModel[] }) {
  const stationId = useCursor((s) => s.place?.stationId ?? null);
  const read = models.map((model) => ({
    ...model,
    lines: model.lines.filter((line) => line.stationId === stationId),
    fromFiles: [],
  }));
  return <Readout stage={stage} models={read} />;
}
