import { ChartSpline, Satellite } from "lucide-react";
import { useEffect } from "react";
import { useConnection, useIsFilesAlone } from "../../stores/connection.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { EmptyState } from "../../ui/notes.tsx";
import { useShownSeries } from "../files/shown.ts";
import { panelVariables } from "#shared/plot/panels.ts";
import { rehearse } from "./rehearse.ts";
import { SeriesPlot } from "./SeriesPlot.tsx";

/** A window that shows its list for so long has time for more. */
const REST_MS = 500;

/** The chosen stations as lines over time, a panel per variable. */
export function SeriesView() {
  const connectionId = useConnection((s) => s.current?.info.id ?? null);
  const hasStations = useWorkspace((s) => s.stationIds.length > 0);
  const hasFiles = useShownSeries().length > 0;
  const hasScalars = useWorkspace((s) => panelVariables(s.variables, s.showSigma).length > 0);
  if (connectionId === null) return null;
  if (!hasStations && !hasFiles) return <NothingChosen connectionId={connectionId} />;
  if (!hasScalars && !hasFiles) {
    return (
      <EmptyState icon={<Satellite aria-hidden />} title="Only satellite variables are selected">
        Elevation, azimuth and C/N0 have many values per epoch: the table shows them, and an export writes them. Choose
        ZTD or PWV to draw lines.
      </EmptyState>
    );
  }
  return <SeriesPlot key={connectionId} connectionId={connectionId} />;
}

function NothingChosen({ connectionId }: { readonly connectionId: string }) {
  const isFilesAlone = useIsFilesAlone();
  useEffect(() => {
    const timer = setTimeout(() => void rehearse(connectionId), REST_MS);
    return () => clearTimeout(timer);
  }, [connectionId]);
  if (isFilesAlone) {
    return (
      <EmptyState icon={<ChartSpline aria-hidden />} title="No series selected">
        Select series of the files in the list to plot them.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={<ChartSpline aria-hidden />} title="No station selected">
      Select stations in the list to plot their cached data. Drop files on the window to plot them too.
    </EmptyState>
  );
}
