import { FileDown } from "lucide-react";
import { useCommand } from "../../stores/commands.ts";
import { useConnectionId } from "../../stores/connection.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Button, withShortcut } from "../../ui/Button.tsx";
import { Hint } from "../../ui/Hint.tsx";
import { openExportPage, useExports } from "./saved.ts";

/** Opens the export dialog: for the selection, or without one for the saved exports. */
export function ExportButton() {
  const connectionId = useConnectionId();
  const hasStations = useWorkspace((s) => s.stationIds.length > 0);
  const hasSaved = useExports((s) => s.saved.some((saved) => saved.connectionId === connectionId));
  const isEnabled = hasStations || hasSaved;
  const open = (): void => openExportPage(hasStations ? { kind: "new" } : { kind: "saved", focus: null });
  useCommand("export", open, isEnabled);
  return (
    <Hint text={withShortcut("Write to a file", "export")}>
      <Button isDisabled={!isEnabled} onPress={open}>
        <FileDown aria-hidden />
        Export
      </Button>
    </Hint>
  );
}
