import { ChartSpline, Satellite } from "lucide-react";
import { useEffect } from "react";
import { cleanupOf } from "#shared/async.ts";
import { panelVariables } from "#shared/plot/panels.ts";
import { useIsFilesAlone, useConnectionId } from "../../stores/connection.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { EmptyState } from "../../ui/notes.tsx";
import { NoStation } from "../catalogue/NoStation.tsx";
import { useShownSeries } from "../files/shownSeries.ts";
import { followPointed, readAhead, warmUpPlot } from "./ahead.ts";
import { SeriesPlot } from "./SeriesPlot.tsx";

/** The selected stations as lines over time, with a panel for each variable. */
export function SeriesView() {
  const hasStations = useWorkspace((s) => s.stationIds.length > 0);
  const hasFiles = useShownSeries().length > 0;
  const hasScalars = useWorkspace((s) => panelVariables(s.variables, s.showSigma).length > 0);
  if (!hasStations && !hasFiles) return <NothingSelected />;
  if (!hasScalars && !hasFiles) {
    return (
      <EmptyState icon={Satellite} title="Only satellite variables are selected">
        Elevation, azimuth and C/N0 have many values per epoch: the table shows them, and an export writes them. Select
        ZTD or PWV to draw lines.
      </EmptyState>
    );
  }
  return <SeriesPlot />;
}

const WARM_UP_DELAY_MS = 500;

function NothingSelected() {
  const connectionId = useConnectionId();
  const isFilesAlone = useIsFilesAlone();
  useEffect(() => {
    const timer = setTimeout(() => void warmUpPlot(connectionId), WARM_UP_DELAY_MS);
    return cleanupOf(
      () => clearTimeout(timer),
      followPointed((stationId) => void readAhead(connectionId, stationId)),
    );
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
