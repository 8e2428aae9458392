import { FileDown } from "lucide-react";
import type { SeriesAvailability } from "#shared/bridge/methods/availability.ts";
import { type CsvCell, csvTable } from "#shared/file/csv.ts";
import { roundedShare } from "#shared/series/statistics.ts";
import { type Variable, variableInfo } from "#shared/service/variables.ts";
import { formatUtcShort } from "#shared/time/utc.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { useCommand } from "../../stores/commands.ts";
import { saveCsv } from "../../stores/saveBlob.ts";
import { Button } from "../../ui/Button.tsx";
import { MenuButton } from "../../ui/MenuButton.tsx";
import { saveFigure } from "../figure/open.ts";
import { completenessOf, dayText, type StationLine, sumCounts } from "./table.ts";
import { availabilityFigure } from "./picture.ts";

const HEAD = [
  "station_id",
  "display_name",
  "variable",
  "day",
  "expected",
  "received",
  "filtered",
  "missing",
  "failed",
  "not_asked",
  "complete_percent",
  "not_final",
  "data_last_updated",
];

/** Writes a row for each station and day in the order of the table. `complete_percent` is empty if nothing was requested. */
export function availabilityCsv(
  availability: SeriesAvailability,
  lines: readonly StationLine[],
  variable: string,
  lastUpdatedMs: (stationId: string) => number | null,
): string {
  const rows: CsvCell[][] = [];
  for (const { stationId, name, index } of lines) {
    const updatedMs = lastUpdatedMs(stationId);
    for (let bin = 0; bin < availability.bins; bin++) {
      const c = sumCounts(availability, index, bin, bin + 1);
      const share = completenessOf(c);
      rows.push([
        stationId,
        name,
        variable,
        dayText(availability.firstMs + bin * availability.binMs),
        c.expected,
        c.received,
        c.filtered,
        c.missing,
        c.failed,
        c.notAsked,
        share === null ? "" : (roundedShare(share, 3) * 100).toFixed(3),
        availability.notFinal[index * availability.bins + bin] ?? null,
        updatedMs === null ? "" : formatUtcShort(updatedMs),
      ]);
    }
  }
  return csvTable(HEAD, rows);
}

interface SaveMenuProps {
  readonly availability: SeriesAvailability;
  readonly lines: readonly StationLine[];
  readonly variable: Variable;
}

/** A menu that saves the table as CSV or as a figure. */
export function SaveMenu({ availability, lines, variable }: SaveMenuProps) {
  const lastMs = availability.firstMs + (availability.bins - 1) * availability.binMs;
  const name = `zenith-availability-${variable.replace("_", "-")}-${dayText(availability.firstMs)}-${dayText(lastMs)}`;
  const saveRows = (): void => {
    const { byId } = useCatalogue.getState();
    saveCsv(
      availabilityCsv(availability, lines, variable, (id) => byId.get(id)?.dataLastUpdatedMs ?? null),
      name,
    );
  };
  const saveAsFigure = (): void =>
    saveFigure({
      fileName: name,
      compose: (page) => availabilityFigure(availability, lines, variableInfo(variable).label, page),
    });
  useCommand("figure", saveAsFigure);
  return (
    <MenuButton
      label="Save the table"
      button={
        <Button look="quiet">
          <FileDown aria-hidden />
          Save
        </Button>
      }
      entries={[
        { id: "csv", label: "CSV", detail: "a row for each station and day", onAction: saveRows },
        { id: "figure", label: "Figure…", detail: "PNG, SVG, PDF", onAction: saveAsFigure },
      ]}
    />
  );
}
