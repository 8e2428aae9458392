import { useEffect, useState } from "react";
import type { ExportForecast } from "#shared/bridge/export.ts";
import type { AppFault } from "#shared/fault.ts";
import type { ExportRequest } from "#shared/file/export.ts";
import { templateProblem } from "#shared/file/template.ts";
import { bridge } from "../../bridge/index.ts";

export type Selection = Omit<ExportRequest, "path">;

/** What the file would be; null until that is known. */
export function useForecast(
  connectionId: string,
  request: Selection,
  template: string,
): { readonly forecast: ExportForecast | null; readonly fault: AppFault | null } {
  const [forecast, setForecast] = useState<ExportForecast | null>(null);
  const [fault, setFault] = useState<AppFault | null>(null);
  // A template that is half typed is told beside its field, and asks nothing.
  const isUsable = templateProblem(template) === null;
  const asked = JSON.stringify([request, template]);
  useEffect(() => {
    if (!isUsable || request.stationIds.length === 0) return;
    const control = new AbortController();
    const ask = async (): Promise<void> => {
      const answer = await bridge.export.foresee({ connectionId, request, template }, control);
      if (control.signal.aborted) return;
      setForecast(answer.ok ? answer.value : null);
      setFault(answer.ok ? null : answer.error);
    };
    void ask();
    const unsubscribe = bridge.on("cacheChanged", (change) => {
      if (change.connectionId === connectionId) void ask();
    });
    return () => {
      control.abort();
      unsubscribe();
    };
    // `asked` stands for the request: the object is new with every render.
  }, [connectionId, asked]);
  return { forecast, fault };
}
