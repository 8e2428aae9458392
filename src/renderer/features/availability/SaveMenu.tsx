import { FileDown } from "lucide-react";
import type { SeriesAvailability } from "#shared/bridge/methods/availability.ts";
import { type CsvColumns, csvRows, csvTable } from "#shared/file/csv.ts";
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

/** Writes a row for each station and day in the order of the table. `complete_percent` is empty if nothing was requested. */
export function availabilityCsv(
  availability: SeriesAvailability,
  lines: readonly StationLine[],
  variable: string,
  lastUpdatedMs: (stationId: string) => number | null,
): string {
  const days = lines.flatMap(({ stationId, name, index }) =>
    Array.from({ length: availability.bins }, (_, bin) => ({
      stationId,
      name,
      day: dayText(availability.firstMs + bin * availability.binMs),
      counts: sumCounts(availability, index, bin, bin + 1),
      notFinal: availability.notFinal[index * availability.bins + bin] ?? null,
    })),
  );
  const columns: CsvColumns<(typeof days)[number]> = {
    station_id: ({ stationId }) => stationId,
    display_name: ({ name }) => name,
    variable: () => variable,
    day: ({ day }) => day,
    expected: ({ counts }) => counts.expected,
    received: ({ counts }) => counts.received,
    filtered: ({ counts }) => counts.filtered,
    missing: ({ counts }) => counts.missing,
    failed: ({ counts }) => counts.failed,
    not_asked: ({ counts }) => counts.notAsked,
    complete_percent({ counts }) {
      const share = completenessOf(counts);
      return share === null ? "" : (roundedShare(share, 3) * 100).toFixed(3);
    },
    not_final: ({ notFinal }) => notFinal,
    data_last_updated({ stationId }) {
      const updatedMs = lastUpdatedMs(stationId);
      return updatedMs === null ? "" : formatUtcShort(updatedMs);
    },
  };
  return csvTable(Object.keys(columns), csvRows(columns, days));
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
