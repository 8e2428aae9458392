import { FileDown } from "lucide-react";
import type { SeriesAvailability } from "#shared/bridge/methods/availability.ts";
import { type Variable, variableInfo } from "#shared/service/variables.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { connectionName, useConnection } from "../../stores/connection.ts";
import { showFault } from "../../stores/toasts.ts";
import { Button } from "../../ui/Button.tsx";
import { MenuButton } from "../../ui/MenuButton.tsx";
import { utcMinutes } from "../../ui/text.ts";
import { availabilityCsv } from "./csv.ts";
import { downloadBlob } from "./download.ts";
import { availabilityPng, pictureTitle } from "./picture.ts";
import type { StationLine } from "./table.ts";
import { dayText } from "./words.ts";

interface SaveMenuProps {
  readonly found: SeriesAvailability;
  readonly lines: readonly StationLine[];
  readonly variable: Variable;
}

/** The table as numbers or as a picture. */
export function SaveMenu({ found, lines, variable }: SaveMenuProps) {
  const info = useConnection((s) => s.current?.info);
  const lastMs = found.firstMs + (found.bins - 1) * found.binMs;
  const name = `zenith-availability-${variable.replace("_", "-")}-${dayText(found.firstMs)}-${dayText(lastMs)}`;
  const saveCsv = (): void => {
    const { byId } = useCatalogue.getState();
    const csv = availabilityCsv(found, lines, variable, (id) => byId.get(id)?.dataLastUpdatedMs ?? null);
    downloadBlob(new Blob([csv], { type: "text/csv" }), `${name}.csv`);
  };
  const savePng = async (): Promise<void> => {
    const blob = await availabilityPng(found, lines, {
      title: pictureTitle(variableInfo(variable).label, found),
      provenance: `From the cache of ${info ? connectionName(info) : "a connection"}, ${utcMinutes(found.nowMs)} UTC. Completeness is the share of requested rows that arrived.`,
    });
    if (blob) downloadBlob(blob, `${name}.png`);
    else showFault({ kind: "engine", message: "The picture is too large for this computer. Save a CSV.", cause: null });
  };
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
        { id: "csv", label: "CSV", detail: "a row for each station and day", onAction: saveCsv },
        { id: "png", label: "PNG", detail: "the table as a picture", onAction: () => void savePng() },
      ]}
    />
  );
}
