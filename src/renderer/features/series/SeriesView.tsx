import { ChartSpline, Satellite } from "lucide-react";
import { useEffect } from "react";
import type { PanelModel } from "#shared/plot/panel.ts";
import { panelModels, panelVariables } from "#shared/plot/panels.ts";
import { bridge } from "../../bridge/index.ts";
import { LineDrawing } from "../../plot/lineDrawing.ts";
import { Stage } from "../../plot/stage.ts";
import { useConnection, useIsFilesAlone } from "../../stores/connection.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { EmptyState } from "../../ui/notes.tsx";
import { NoStation } from "../catalogue/NoStation.tsx";
import { useShownSeries } from "../files/shownSeries.ts";
import { firstRequest } from "./loader.ts";
import { queryOf, subjectOf } from "./query.ts";
import { SeriesPlot } from "./SeriesPlot.tsx";

const NO_EVENTS = { onView() {}, onReset() {}, onCursor() {}, onPress() {} };
/** Width of the invisible plot. */
const WIDTH_PX = 1_000;

let isDone = false;

/**
 * Reads a cached station and draws it off-screen, once. The first run of the code takes 0.1 s longer, which the user would
 * otherwise notice when selecting the first station.
 */
async function warmUpPlot(connectionId: string): Promise<void> {
  if (isDone) return;
  const workspace = useWorkspace.getState();
  const { range, showSigma } = workspace;
  const { variables, mode } = queryOf(subjectOf(workspace), connectionId);
  if (variables.length === 0 || mode.resampled) return;
  const covered = await bridge.catalogue.coverage({ connectionId, range, variables: [...variables], mode });
  const stationId = covered.ok ? covered.value.stationIds.find((_, i) => (covered.value.share[i] ?? 0) > 0) : undefined;
  if (stationId === undefined) return;
  const query = { connectionId, stationIds: [stationId], variables, mode };
  const answer = await bridge.series.window({ ...firstRequest(query, range, WIDTH_PX), ahead: true });
  if (!answer.ok || isDone) return;
  isDone = true;
  const models = (windows: typeof answer.value): PanelModel[] =>
    panelModels({
      panels: panelVariables(workspace.variables, showSigma),
      showSigma,
      intervalSeconds: mode.intervalSeconds,
      stations: windows.map((w) => ({ id: w.stationId, name: "", slot: 0 })),
      windows: new Map(windows.map((w) => [w.stationId, w])),
      rejected: new Map(),
      gaps: [],
      bounds: {},
    });
  const stage = new Stage(range, NO_EVENTS);
  const empty = models([]);
  for (const [i, drawn] of models(answer.value).entries()) {
    const panel = stage.addPanel(document.createElement("div"), new LineDrawing(empty[i] ?? drawn));
    panel.update(drawn);
    stage.removePanel(panel);
  }
}

const WARM_UP_DELAY_MS = 500;

/** The selected stations as lines over time, with a panel for each variable. */
export function SeriesView() {
  const connectionId = useConnection((s) => s.current?.info.id ?? null);
  const hasStations = useWorkspace((s) => s.stationIds.length > 0);
  const hasFiles = useShownSeries().length > 0;
  const hasScalars = useWorkspace((s) => panelVariables(s.variables, s.showSigma).length > 0);
  if (connectionId === null) return null;
  if (!hasStations && !hasFiles) return <NothingSelected connectionId={connectionId} />;
  if (!hasScalars && !hasFiles) {
    return (
      <EmptyState icon={Satellite} title="Only satellite variables are selected">
        Elevation, azimuth and C/N0 have many values per epoch: the table shows them, and an export writes them. Select
        ZTD or PWV to draw lines.
      </EmptyState>
    );
  }
  return <SeriesPlot key={connectionId} connectionId={connectionId} />;
}

function NothingSelected({ connectionId }: { readonly connectionId: string }) {
  const isFilesAlone = useIsFilesAlone();
  useEffect(() => {
    const timer = setTimeout(() => void warmUpPlot(connectionId), WARM_UP_DELAY_MS);
    return () => clearTimeout(timer);
  }, [connectionId]);
  if (isFilesAlone) {
    return (
      <EmptyState icon={ChartSpline} title="No series selected">
        Select series of the opened files in the list to plot them.
      </EmptyState>
    );
  }
  return (
    <NoStation icon={ChartSpline}>
      Select stations in the list to plot their cached data. Drop files on the window to plot them too.
    </NoStation>
  );
}
