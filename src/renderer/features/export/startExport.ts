import type { ExportDestination, ExportForecast, ExportTask } from "#shared/bridge/methods/export.ts";
import type { AppFault } from "#shared/fault.ts";
import type { ExportRequest } from "#shared/file/export.ts";
import { FORMATS } from "#shared/file/formats.ts";
import { exportFileName } from "#shared/file/names.ts";
import { templateProblem } from "#shared/file/template.ts";
import type { Result } from "#shared/service/error.ts";
import { bridge } from "../../bridge/index.ts";
import { forecastOf } from "../../ask/questions.ts";
import { shownOf, useAsk } from "../../ask/useAsk.ts";
import { capabilitiesNow } from "../../stores/capabilities.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { useConnection } from "../../stores/connection.ts";
import { useSettings } from "../../stores/settings.ts";
import { orShowFault, showToast } from "../../stores/toasts.ts";

export type Selection = Omit<ExportRequest, "path">;

/**
 * Estimates the file, again whenever the request, the template or the cache changes. The previous forecast stays until
 * the next one arrives, marked by `isOld`: its name may have the ending of another format.
 */
export function useForecast(
  connectionId: string,
  request: Selection,
  template: string,
): { readonly forecast: ExportForecast | null; readonly fault: AppFault | null; readonly isOld: boolean } {
  // An invalid template, as while typing, is reported beside its field and not sent.
  const isUsable = templateProblem(template) === null && request.stationIds.length > 0;
  const input = isUsable ? { connectionId, request, template } : null;
  const asked = useAsk(forecastOf, input, { delayMs: 0, keepFor: connectionId });
  return { forecast: shownOf(asked), fault: asked.fault, isOld: asked.value === null };
}

/** Returns the file name that a template produces, or a fault if the template is invalid. */
export function useTemplateName(
  template: string,
  request: Selection,
  exportName: string | null = null,
): Result<string, AppFault> {
  const stations = useCatalogue((s) => s.byId);
  const connectionName = useConnection((s) => s.current?.info.name ?? "");
  return exportFileName(template, { request, stations, connectionName, exportName });
}

/** Ids of the exports that this window started as downloads and must save. */
export const startedHere = new Set<string>();

interface NewExport {
  readonly connectionId: string;
  readonly request: Selection;
  readonly template: string;
  readonly suggestedName: string;
  /** Whether missing data are downloaded first. */
  readonly fetchesFirst: boolean;
}

/**
 * Asks for a destination if the shell can, and starts the export, which continues after the window closes.
 *
 * @param onStart called when it has started, before any download
 */
export async function startExport(
  { connectionId, request, template, suggestedName, fetchesFirst }: NewExport,
  onStart: () => void,
): Promise<void> {
  const destination = await destinationOf(suggestedName, FORMATS[request.format].extension);
  if (destination === null) return;
  const started = bridge.export.start({ connectionId, request, destination, template, fetchesFirst });
  const answer = await orShowFault(started);
  if (!answer.ok) return;
  onStart();
  if (fetchesFirst) showToast("Downloading missing data, then writing the file.");
  if (destination.kind === "download") startedHere.add(answer.value.id);
  rememberTemplate(template);
}

/** Writes a failed or cancelled export again, to the same place. */
export function retryExport({ id }: ExportTask): void {
  void orShowFault(bridge.export.retry({ exportId: id }));
}

/** Makes the template the default of the next export. */
export function rememberTemplate(exportTemplate: string): void {
  const { settings, change } = useSettings.getState();
  if (settings.exportTemplate !== exportTemplate) void change({ exportTemplate });
}

/** Returns the file chosen in the system's dialog, or a download if the shell has none; null if the user cancelled. */
export async function destinationOf(suggestedName: string, extension: string): Promise<ExportDestination | null> {
  if (!capabilitiesNow().fileDialogs) return { kind: "download" };
  const answer = await orShowFault(bridge.system.chooseSaveFile({ suggestedName, extensions: [extension] }));
  return answer.ok && answer.value !== null ? { kind: "file", path: answer.value } : null;
}
