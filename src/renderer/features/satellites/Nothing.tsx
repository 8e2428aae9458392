import { Satellite } from "lucide-react";
import { bridge } from "../../bridge/index.ts";
import { runCommand } from "../../stores/commands.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/notes.tsx";
import { useSeriesQuery } from "../series/useSeriesQuery.ts";
import type { SkyQuery } from "./data/loader.ts";
import type { SatelliteFetch } from "./Notices.tsx";
import { emptyWords, READING } from "./words.ts";

interface NothingProps {
  readonly query: SkyQuery;
  readonly stationName: string;
  readonly fetch: SatelliteFetch;
  /** More of the cache is being read, or about to be. */
  readonly isReading: boolean;
}

/** Why there are no satellites, and what would bring them. */
export function Nothing({ query, stationName, fetch, isReading }: NothingProps) {
  const { connectionId, stationId, range, mode } = query;
  const gaps = useSeriesQuery({
    key: JSON.stringify(query),
    retainFor: JSON.stringify(query),
    delayMs: 0,
    connectionId,
    stationIds: [stationId],
    load: (signal) =>
      bridge.series.gaps(
        {
          connectionId,
          stationIds: [stationId],
          variables: ["prn"],
          range,
          mode: { ...mode, resampled: false },
          minimumMs: 0,
        },
        { signal },
      ),
  });
  // Until it is known why nothing is there, nothing is claimed; without a gap, what arrived just now is about to be drawn.
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
