import { FileDown } from "lucide-react";
import type { SeriesAvailability } from "#shared/bridge/methods/availability.ts";
import { type Variable, variableInfo } from "#shared/service/variables.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { useCommand } from "../../stores/commands.ts";
import { saveCsv } from "../../stores/saveBlob.ts";
import { Button } from "../../ui/Button.tsx";
import { MenuButton } from "../../ui/MenuButton.tsx";
import { saveFigure } from "../figure/open.ts";
import { availabilityCsv } from "./csv.ts";
import { availabilityFigure } from "./picture.ts";
import type { StationLine } from "./table.ts";
import { dayText } from "./format.ts";

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
