import { useConnection } from "../../stores/connection.ts";
import { copyText } from "../../stores/copyText.ts";
import { selectStations, useWorkspace } from "../../stores/workspace.ts";
import { openContextMenu } from "../../ui/ContextMenu.tsx";
import type { MenuPosition } from "../../ui/contextMenuHandlers.ts";
import type { MenuEntry } from "../../ui/MenuButton.tsx";
import { openGuide } from "../guide/open.ts";
import { remedySpec, useRemedyWords } from "./GapActions.tsx";
import { type GapLine, remedyOf } from "./list.ts";
import { startFetch } from "../fetch/startFetch.ts";
import { secondText } from "./words.ts";

/** Opens the context menu of a gap. */
export function openGapMenu(connectionId: string, line: GapLine, at: MenuPosition, show: () => void): void {
  const { range, name, stationId } = line;
  // Data of a file cannot be fetched.
  const isFile = useConnection.getState().current?.info.kind === "file";
  const remedy = isFile ? null : remedyOf(line.cause);
  const repair: MenuEntry = {
    id: "repair",
    label: <RemedyLabel connectionId={connectionId} line={line} />,
    text: remedy === "raw" ? "Show rejected data" : "Fetch this gap",
    onAction: () => void startFetch(connectionId, remedySpec(line, useWorkspace.getState())),
  };
  openContextMenu({
    label: `Gap of ${name}`,
    ...at,
    entries: [
      ...(remedy === null ? [] : [repair]),
      { id: "show", label: "Show in Series", onAction: show },
      { id: "only", label: `Select only ${name}`, onAction: () => selectStations([stationId]) },
      null,
      {
        id: "copy",
        label: "Copy start and end",
        onAction: () =>
          copyText(`${isoText(range.startMs)}\t${isoText(range.endMs)}`, "Start and end of the gap were copied."),
      },
      { id: "causes", label: "What the causes mean", onAction: () => openGuide("missing-data", "the-causes") },
    ],
  });
}

function isoText(ms: number): string {
  return `${secondText(ms).replace(" ", "T")}Z`;
}

/** Label with the cost once it is known. */
function RemedyLabel({ connectionId, line }: { readonly connectionId: string; readonly line: GapLine }) {
  const words = useRemedyWords(connectionId, line);
  return words ?? (remedyOf(line.cause) === "raw" ? "Show rejected data" : "Fetch this gap");
}
