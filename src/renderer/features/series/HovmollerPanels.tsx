import { Image } from "lucide-react";
import { useMemo } from "react";
import { z } from "zod";
import { fileDay } from "#shared/plot/figure/page.ts";
import { composeSheet } from "#shared/plot/figure/sheet.ts";
import { allLines, type PanelModel } from "#shared/plot/panel.ts";
import { groupsFirst } from "#shared/station/group.ts";
import { formatRange, type TimeRange } from "#shared/time/range.ts";
import { composeHovmoller, type Hovmoller, HovmollerDrawing, ROW_ORDERS, sortRows } from "../../plot/hovmoller.ts";
import type { Stage } from "../../plot/stage.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { useCommand } from "../../stores/commands.ts";
import { useGroupPlaces } from "../../stores/groups.ts";
import { QuietButton } from "../../ui/Button.tsx";
import { Select, Switch, choicesFrom } from "../../ui/choices.tsx";
import { many } from "../../ui/text.ts";
import { saveFigure } from "../../stores/dialogs.ts";
import { useCursor } from "./useKeyCursor.ts";
import { usePanel } from "./Panels.tsx";
import { Readout } from "./Readout.tsx";
import classes from "./series.module.css";
import { pane, usePane } from "../../stores/pane.ts";
import { fieldsOf } from "../../ui/fieldsOf.ts";

const MIN_HEIGHT = 220;
/** Height of title and time axis. */
const MARGIN_HEIGHT = 90;
const ROW_HEIGHT = 12;

/** Saves the diagrams, one below the other, as a figure. */
function SaveHovmoller({ diagrams }: { readonly diagrams: readonly Hovmoller[] }) {
  const save = (): void => {
    const [first] = diagrams;
    if (!first) return;
    const variables = diagrams.map((diagram) => diagram.quantity.key).join("-");
    saveFigure({
      fileName: `zenith-hovmoller-${variables}-${fileDay(first.view.startMs)}-${fileDay(first.view.endMs)}`,
      compose: (page) =>
        composeSheet(
          {
            title: diagrams.map((diagram) => diagram.title).join("; "),
            subtitle: formatRange(first.view),
            legend: [],
            parts: diagrams.map((diagram) => ({
              height: () => Math.max(MIN_HEIGHT, MARGIN_HEIGHT + ROW_HEIGHT * diagram.rows.length),
              draw: (width, height, theme) => composeHovmoller(diagram, { width, height }, theme).shapes,
            })),
            notes: [],
          },
          page,
        ),
    });
  };
  useCommand("figure", save);
  return <QuietButton label="Save figure…" onPress={save} icon={Image} />;
}

const LOOK = pane(
  "series.hovmoller",
  z.object({ order: z.enum(ROW_ORDERS).catch("longitude"), isAnomaly: z.boolean().catch(true) }),
);

const ORDERS = choicesFrom({
  longitude: "By longitude",
  latitude: "By latitude",
  distance: "By distance from the first",
});

function rowsText({ lines, fromFiles }: PanelModel): string {
  const ofFiles = fromFiles.length === 0 ? [] : [`${fromFiles.length} series of files`];
  return [...(lines.length === 0 ? [] : [many(lines.length, "station")]), ...ofFiles].join(" and ");
}

/** Returns a diagram for each variable, with stations in the chosen order, grouped stations first if the user wants that. */
export function useHovmoller(models: readonly PanelModel[], view: TimeRange): readonly Hovmoller[] {
  const byId = useCatalogue((s) => s.byId);
  const places = useGroupPlaces();
  const [{ order, isAnomaly }] = usePane(LOOK);
  return useMemo(
    () =>
      models.map((model): Hovmoller => {
        const rows = sortRows(allLines(model), (id) => byId.get(id), order);
        return {
          quantity: model.quantity,
          rows: groupsFirst(rows, ({ line }) => line.stationId, places),
          order,
          isAnomaly,
          gaps: model.gaps,
          view,
          title: `${model.quantity.label}, ${rowsText(model)}, Hovmöller diagram`,
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
  const [look] = usePane(LOOK);
  const field = fieldsOf(look, LOOK.change);
  return (
    <>
      <div className="row flex-wrap gap-3 px-3 py-1">
        <Select label="Order of the stations" choices={ORDERS} {...field("order")} />
        <Switch {...field("isAnomaly")}>Anomalies</Switch>
        <SaveHovmoller diagrams={diagrams} />
      </div>
      {diagrams.map((diagram) => (
        <Diagram key={diagram.quantity.key} stage={stage} diagram={diagram} />
      ))}
    </>
  );
}

function Diagram({ stage, diagram }: { readonly stage: Stage; readonly diagram: Hovmoller }) {
  const host = usePanel(stage, diagram, HovmollerDrawing);
  return (
    <section className="stack flex-[1_0_220px]" aria-label={diagram.title}>
      <div ref={host} role="img" aria-label={diagram.title} className={`${classes["plot"]} min-h-47.5`} />
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
