import type { SeriesGaps, SeriesWindow } from "#shared/bridge/methods/series.ts";
import { useIsFetching } from "../../stores/work.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { FaultStrip, Over } from "../../ui/notes.tsx";
import { many } from "../../ui/text.ts";
import { FUTURE_WORDS } from "../fetch/labels.ts";
import type { Answered } from "../../ask/ask.ts";
import type { Shown } from "./Legend.tsx";
import type { Plot } from "./usePlot.ts";

interface NoticeProps {
  readonly shown: Shown;
  readonly gaps: Answered<readonly SeriesGaps[]>;
  readonly plot: Plot;
}

/** A line at the free end of the heading of the first plot if nothing is cached or something failed: it moves nothing. */
export function Notice({ shown, gaps, plot }: NoticeProps) {
  const isBeingFetched = useIsFetching(shown.query.stationIds);
  const isFuture = useWorkspace((s) => s.range.startMs >= Date.now());
  const { loaded, rejected, files, retry } = plot;
  const fault = loaded.fault ?? rejected.fault ?? gaps.fault ?? files.fault;
  const isEmpty = !loaded.isLoading && loaded.windows.size > 0 && [...loaded.windows.values()].every(hasNothing);
  if (!fault && !isEmpty) return null;
  const final = isFuture ? FUTURE_WORDS : finalWords(gaps.value);
  const whose = shown.stations.length === 1 ? "this station" : `these ${many(shown.stations.length, "station")}`;
  const words = final ?? failedWords(gaps.value) ?? `No data of ${whose} are cached in this range.`;
  return (
    <Over>
      {fault ? (
        <FaultStrip fault={fault} action={<Button onPress={retry}>Try again</Button>} />
      ) : (
        <p>{isBeingFetched ? "Data of this selection appear here as they arrive." : words}</p>
      )}
    </Over>
  );
}

/** Why there is nothing, where a fetch would not change it; else null. */
function finalWords(gaps: readonly SeriesGaps[] | null): string | null {
  const causes = new Set(gaps?.flatMap((g) => g.gaps.map((gap) => gap.cause)));
  if (causes.size !== 1) return null;
  if (causes.has("noAccess")) return "The key has no access to these stations.";
  if (causes.has("beforeHistory")) return "This is before the first observation.";
  return causes.has("nothingSent") ? "Nothing was sent in this range." : null;
}

/** Why the last fetch brought nothing, where all of it failed. */
function failedWords(gaps: readonly SeriesGaps[] | null): string | null {
  const all = gaps?.flatMap((g) => g.gaps) ?? [];
  if (all.length === 0 || all.some((gap) => gap.cause !== "failed")) return null;
  return `The last fetch failed. ${all.find((gap) => gap.reason !== undefined)?.reason ?? ""}`;
}

function hasNothing(window: SeriesWindow): boolean {
  if (window.kind === "columns") return false;
  return Object.values(window.values).every((values) => values.every((value) => Number.isNaN(value)));
}
