import { useEffect, useRef, useState } from "react";
import type { ExportDestination, ExportForecast } from "#shared/bridge/methods/export.ts";
import type { Capabilities } from "#shared/bridge/methods/system.ts";
import type { AppFault } from "#shared/fault.ts";
import { EXPORT_EXTENSIONS, type ExportFormat, type ExportRequest } from "#shared/file/export.ts";
import { templateProblem } from "#shared/file/template.ts";
import { bridge } from "../../bridge/index.ts";
import { onCacheChange } from "../../stores/cacheQuery.ts";
import { useSettings } from "../../stores/settings.ts";
import { orShowFault } from "../../stores/toasts.ts";

export type Selection = Omit<ExportRequest, "path">;

interface State {
  /** Key of the request and template that the forecast belongs to. */
  readonly key: string;
  readonly forecast: ExportForecast | null;
  readonly fault: AppFault | null;
}

const INITIAL: State = { key: "", forecast: null, fault: null };

/**
 * Estimates the file, again whenever the request, the template or the cache changes. The previous forecast stays until
 * the next one arrives, marked by `isOld`: its name may have the ending of another format.
 */
export function useForecast(
  connectionId: string,
  request: Selection,
  template: string,
): { readonly forecast: ExportForecast | null; readonly fault: AppFault | null; readonly isOld: boolean } {
  const [state, setState] = useState(INITIAL);
  // An invalid template, as while typing, is reported beside its field and not sent.
  const isUsable = templateProblem(template) === null;
  const key = JSON.stringify([request, template]);
  // The request is a new object in every render; `key` tells whether its content changed.
  const latest = useRef({ request, template });
  latest.current = { request, template };
  useEffect(() => {
    if (!isUsable || latest.current.request.stationIds.length === 0) return;
    const control = new AbortController();
    const estimate = async (): Promise<void> => {
      const answer = await bridge.export.estimate({ connectionId, ...latest.current }, control);
      if (control.signal.aborted) return;
      setState({ key, forecast: answer.ok ? answer.value : null, fault: answer.ok ? null : answer.error });
    };
    void estimate();
    const unfollow = onCacheChange(connectionId, () => void estimate());
    return () => {
      control.abort();
      unfollow();
    };
  }, [connectionId, key, isUsable]);
  return { forecast: state.forecast, fault: state.fault, isOld: state.key !== key };
}

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
  const answer = await orShowFault(bridge.export.start({ connectionId, request, destination, template }));
  if (!answer.ok) return false;
  if (destination.kind === "download") startedHere.add(answer.value.id);
  rememberTemplate(template);
  return true;
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
  const answer = await orShowFault(bridge.system.chooseSaveFile({ suggestedName, extensions }));
  return answer.ok && answer.value !== null ? { kind: "file", path: answer.value } : null;
}
