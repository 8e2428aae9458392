import type { ExportDestination, ExportForecast } from "#shared/bridge/methods/export.ts";
import type { Capabilities } from "#shared/bridge/methods/system.ts";
import { EXPORT_EXTENSIONS, type ExportFormat } from "#shared/file/export.ts";
import { bridge } from "../../bridge/index.ts";
import { useSettings } from "../../stores/settings.ts";
import { showFault } from "../../stores/toasts.ts";
import type { Selection } from "./useForecast.ts";

/** Ids of the exports that this window started as downloads and must save. */
export const startedHere = new Set<string>();

/** Asks for a destination if the shell can, and starts the export. @returns whether it started */
export async function startExport(
  connectionId: string,
  request: Selection,
  template: string,
  { suggestedName }: ExportForecast,
  capabilities: Capabilities,
): Promise<boolean> {
  const destination = await destinationOf(suggestedName, request.format, capabilities);
  if (destination === null) return false;
  const answer = await bridge.export.start({ connectionId, request, destination, template });
  if (!answer.ok) showFault(answer.error);
  else {
    if (destination.kind === "download") startedHere.add(answer.value.id);
    rememberTemplate(template);
  }
  return answer.ok;
}

/** Makes the template the default of the next export. */
export function rememberTemplate(exportTemplate: string): void {
  const { settings, change } = useSettings.getState();
  if (settings.exportTemplate !== exportTemplate) void change({ exportTemplate });
}

/** Returns the file chosen in the system's dialog, or a download if the shell has none; null if the user cancelled. */
export async function destinationOf(
  suggestedName: string,
  format: ExportFormat,
  { fileDialogs }: Capabilities,
): Promise<ExportDestination | null> {
  if (!fileDialogs) return { kind: "download" };
  const extensions = [EXPORT_EXTENSIONS[format]];
  const answer = await bridge.system.chooseSaveFile({ suggestedName, extensions });
  if (!answer.ok) showFault(answer.error);
  return answer.ok && answer.value !== null ? { kind: "file", path: answer.value } : null;
}
