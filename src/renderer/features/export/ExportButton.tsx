import { FileDown } from "lucide-react";
import { useState } from "react";
import { useCommand } from "../../stores/commands.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { ExportDialog } from "./ExportDialog.tsx";

/** Writes what is on the screen to a file. */
export function ExportButton() {
  const [isOpen, setOpen] = useState(false);
  const hasStations = useWorkspace((s) => s.stationIds.length > 0);
  useCommand("export", () => setOpen(true), hasStations);
  return (
    <>
      <Button isDisabled={!hasStations} onPress={() => setOpen(true)}>
        <FileDown aria-hidden />
        Export
      </Button>
      <ExportDialog isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}
