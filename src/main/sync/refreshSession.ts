import type { Coverage } from "#shared/series/rows.ts";
import { intersect, rangeSet } from "#shared/time/rangeset.ts";
import { answeredTime } from "../analysis/requestedTimes.ts";
import type { Cache, CacheReader } from "../store/index.ts";
import type { Session } from "./session.ts";

/**
 * Returns a session whose jobs download into another, at first empty cache as if nothing had been downloaded. Everything
 * else is that of the given session, as are catalogue, limits and settings. An absence counts as unconfirmed wherever the
 * cache of the given session has values.
 */
export function refreshSession(session: Session, fresh: Cache): Session {
  const former = session.cache;
  const { catalogue, station, replaceCatalogue, setting, setSetting } = former;
  let commits = 0;
  return {
    ...session,
    cache: { ...fresh, catalogue, station, replaceCatalogue, setting, setSetting },
    former,
    commits: () => commits,
    // The cache that windows show has not changed.
    noteCommit: () => void commits++,
  };
}

/** Returns the cache with the coverage of what the fresh responses answer, for the verdicts of a refresh. */
export function answeredCache(cache: CacheReader, fresh: CacheReader): CacheReader {
  return {
    ...cache,
    coverage(stationId, variable, mode): Coverage {
      const { final, provisional } = cache.coverage(stationId, variable, mode);
      const answered = answeredTime(fresh.coverage(stationId, variable, mode));
      return {
        final: intersect(rangeSet(final), answered),
        provisional: provisional.flatMap(({ range, fetchedAtMs }) =>
          intersect([range], answered).map((part) => ({ range: part, fetchedAtMs })),
        ),
      };
    },
  };
}
