import { Download } from "lucide-react";
import { useCommand } from "../../stores/commands.ts";
import { Button } from "../../ui/Button.tsx";
import { MenuButton, type MenuEntry } from "../../ui/MenuButton.tsx";
import { saveSheet, saveTable, type Sheet } from "./save.ts";

/** A menu that saves the figures and tables of a part. */
export function SaveMenu({
  sheet,
  first = [],
}: {
  readonly sheet: Sheet;
  /** Additional entries at the top. */
  readonly first?: readonly MenuEntry[];
}) {
  const { pictures, tables } = sheet;
  useCommand("figure", () => saveSheet(sheet), pictures.length > 0);
  return (
    <MenuButton
      label="Save what is shown"
      button={
        <Button look="quiet">
          <Download aria-hidden />
          Save
        </Button>
      }
      entries={[
        ...first,
        ...(pictures.length > 0
          ? [{ id: "figure", label: "Figure…", detail: "PNG, SVG, PDF", onAction: () => saveSheet(sheet) }]
          : []),
        ...tables.map((table) => ({
          id: table.id,
          label: table.label,
          detail: "CSV",
          onAction: () => saveTable(sheet, table),
        })),
      ]}
    />
  );
}
