import type { ExportForecast } from "#shared/bridge/export.ts";
import type { Capabilities } from "#shared/bridge/system.ts";
import { EXPORT_EXTENSIONS } from "#shared/file/export.ts";
import { bridge } from "../../bridge/index.ts";
import { showFault } from "../../stores/toasts.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import type { Selection } from "./useForecast.ts";

/** Exports that this window started for download: it is the one that saves them. */
export const startedHere = new Set<string>();

/** Asks for a place where the shell can, and starts to write. @returns whether it started */
export async function startExport(
  connectionId: string,
  request: Selection,
  forecast: ExportForecast,
  capabilities: Capabilities,
): Promise<boolean> {
  const destination = capabilities.fileDialogs ? await chosenFile(request, forecast) : ({ kind: "download" } as const);
  if (destination === null) return false;
  const answer = await bridge.export.start({ connectionId, request, destination });
  if (!answer.ok) showFault(answer.error);
  else {
    if (destination.kind === "download") startedHere.add(answer.value.id);
    useWorkspace.setState({ isDrawerOpen: true });
  }
  return answer.ok;
}

async function chosenFile(
  { format }: Selection,
  { suggestedName }: ExportForecast,
): Promise<{ readonly kind: "file"; readonly path: string } | null> {
  const extensions = [EXPORT_EXTENSIONS[format]];
  const answer = await bridge.system.chooseSaveFile({ suggestedName, extensions });
  if (!answer.ok) showFault(answer.error);
  return answer.ok && answer.value !== null ? { kind: "file", path: answer.value } : null;
}
