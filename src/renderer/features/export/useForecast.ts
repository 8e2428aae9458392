import { useEffect, useRef, useState } from "react";
import type { ExportForecast } from "#shared/bridge/methods/export.ts";
import type { AppFault } from "#shared/fault.ts";
import type { ExportRequest } from "#shared/file/export.ts";
import { templateProblem } from "#shared/file/template.ts";
import { bridge } from "../../bridge/index.ts";
import { onCacheChange } from "../../stores/cacheQuery.ts";

export type Selection = Omit<ExportRequest, "path">;

interface Known {
  /** The request and template that it is of. */
  readonly of: string;
  readonly forecast: ExportForecast | null;
  readonly fault: AppFault | null;
}

const NOTHING: Known = { of: "", forecast: null, fault: null };

/**
 * What the file would be, asked anew when the request, the template or the cache changes. The answer before stays until
 * the next is there, and `isOld` says so: its name may have the ending of another format.
 */
export function useForecast(
  connectionId: string,
  request: Selection,
  template: string,
): { readonly forecast: ExportForecast | null; readonly fault: AppFault | null; readonly isOld: boolean } {
  const [{ of, forecast, fault }, setKnown] = useState<Known>(NOTHING);
  // A template that is half typed is told beside its field, and asks nothing.
  const isUsable = templateProblem(template) === null;
  const asked = JSON.stringify([request, template]);
  // The object is new with every render; `asked` tells when it says something else.
  const latest = useRef({ request, template });
  latest.current = { request, template };
  useEffect(() => {
    if (!isUsable || latest.current.request.stationIds.length === 0) return;
    const control = new AbortController();
    const ask = async (): Promise<void> => {
      const answer = await bridge.export.estimate({ connectionId, ...latest.current }, control);
      if (control.signal.aborted) return;
      setKnown({ of: asked, forecast: answer.ok ? answer.value : null, fault: answer.ok ? null : answer.error });
    };
    void ask();
    const unfollow = onCacheChange(connectionId, () => void ask());
    return () => {
      control.abort();
      unfollow();
    };
  }, [connectionId, asked, isUsable]);
  return { forecast, fault, isOld: of !== asked };
}
