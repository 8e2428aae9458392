import { Satellite } from "lucide-react";
import { bridge } from "../../bridge/index.ts";
import { runCommand } from "../../stores/commands.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/notes.tsx";
import { useSeriesQuery } from "../series/useSeriesQuery.ts";
import type { SkyQuery } from "./data/loader.ts";
import type { SatelliteFetch } from "./Notices.tsx";
import { emptyWords, READING } from "./words.ts";

interface EmptyNoticeProps {
  readonly query: SkyQuery;
  readonly stationName: string;
  readonly fetch: SatelliteFetch;
  /** Whether the cache is being read, or is about to be. */
  readonly isReading: boolean;
}

/** Explains why there are no satellites, and offers a download if that would help. */
export function EmptyNotice({ query, stationName, fetch, isReading }: EmptyNoticeProps) {
  const { connectionId, stationId, range, mode } = query;
  const gaps = useSeriesQuery({
    input: {
      connectionId,
      stationIds: [stationId],
      variables: ["prn" as const],
      range,
      mode: { ...mode, resampled: false },
      minimumMs: 0,
    },
    load: bridge.series.gaps,
    retainFor: query,
    delayMs: 0,
  });
  // Shows no cause until it is known. Without a gap, newly arrived data are about to be drawn.
  const isKnown = !isReading && !gaps.isLoading && gaps.value?.some((g) => g.gaps.length > 0);
  if (fetch.isRunning)
    return (
      <EmptyState
        icon={<Satellite aria-hidden />}
        title={`Fetching satellites of ${stationName}`}
        actions={<Button onPress={() => void runCommand("jobs")}>Show jobs</Button>}
      >
        They appear here as they arrive.
      </EmptyState>
    );
  if (gaps.fault === null && !isKnown) return <EmptyState icon={<Satellite aria-hidden />} title={READING} />;
  const causes = new Set(gaps.value?.flatMap((g) => g.gaps.map((gap) => gap.cause)));
  const reason = gaps.value?.flatMap((g) => g.gaps).find((gap) => gap.cause === "failed")?.reason;
  const isForbidden = causes.size === 1 && causes.has("noEntitlement");
  return (
    <EmptyState
      icon={<Satellite aria-hidden />}
      title={
        isForbidden
          ? `The key may not see ${stationName}`
          : causes.has("notAsked")
            ? `No satellites of ${stationName} are cached for this range`
            : `No satellites of ${stationName} in this range`
      }
      actions={
        fetch.words === null || isForbidden ? null : (
          <Button look="primary" onPress={fetch.start}>
            {fetch.words}
          </Button>
        )
      }
    >
      {`${emptyWords(causes, reason)}${fetch.isOffline && fetch.words !== null ? " The service is unreachable. The download starts when it responds again." : ""}`}
    </EmptyState>
  );
}
