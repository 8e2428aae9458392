import type { ExportDestination, ExportForecast } from "#shared/bridge/methods/export.ts";
import type { Capabilities } from "#shared/bridge/methods/system.ts";
import { EXPORT_EXTENSIONS, type ExportFormat } from "#shared/file/export.ts";
import { bridge } from "../../bridge/index.ts";
import { useSettings } from "../../stores/settings.ts";
import { showFault } from "../../stores/toasts.ts";
import type { Selection } from "./useForecast.ts";

/** Exports that this window started for download: it is the one that saves them. */
export const startedHere = new Set<string>();

/** Asks for a place where the shell can, and starts to write. @returns whether it started */
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

/** The next export is named alike. */
export function rememberTemplate(exportTemplate: string): void {
  const { settings, change } = useSettings.getState();
  if (settings.exportTemplate !== exportTemplate) void change({ exportTemplate });
}

/** A file chosen in the dialog of the system, or a download where there is none; null where the user chose nothing. */
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
