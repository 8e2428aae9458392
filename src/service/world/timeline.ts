import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#shared/time/utc.ts";
import { between, hash, keyOf, unit, type Key } from "./random.ts";
import type { Site } from "./site.ts";
import type { Quality } from "./types.ts";

/** `gap`: the station sends nothing. Otherwise `none` if its epochs pass the quality filter, or the reason why not. */
export type State = "gap" | Quality;

/** A disturbance of a station for a limited time. */
export interface Episode {
  readonly state: Exclude<State, "none">;
  readonly startMs: number;
  readonly endMs: number;
  /** Determines its strength and direction. */
  readonly key: Key;
}

/** A range of time with a constant state. */
export interface Segment {
  readonly state: State;
  readonly startMs: number;
  readonly endMs: number;
  /** What causes the state; null for normal operation. */
  readonly episode: Episode | null;
}

/** Each slot of a kind has at most one episode, within the slot. */
interface Kind {
  readonly name: string;
  readonly state: Exclude<State, "none">;
  readonly slotMs: number;
  readonly chance: number;
  readonly shortestMs: number;
  readonly longestMs: number;
}

const OUTAGE: Kind = {
  name: "outage",
  state: "gap",
  slotMs: 40 * DAY_MS,
  chance: 0.6,
  shortestMs: 2 * HOUR_MS,
  longestMs: 4 * DAY_MS,
};
const KINDS: readonly Kind[] = [
  OUTAGE,
  { name: "dropout", state: "gap", slotMs: 3 * DAY_MS, chance: 0.5, shortestMs: MINUTE_MS, longestMs: 20 * MINUTE_MS },
  {
    name: "unsolved",
    state: "noSolution",
    slotMs: 6 * DAY_MS,
    chance: 0.7,
    shortestMs: 2 * MINUTE_MS,
    longestMs: 20 * MINUTE_MS,
  },
  {
    name: "jamming",
    state: "jamming",
    slotMs: 7 * DAY_MS,
    chance: 0.6,
    shortestMs: 3 * MINUTE_MS,
    longestMs: 25 * MINUTE_MS,
  },
  {
    name: "restart",
    state: "convergence",
    slotMs: 9 * DAY_MS,
    chance: 0.75,
    shortestMs: 20 * MINUTE_MS,
    longestMs: 40 * MINUTE_MS,
  },
];

/** Of overlapping episodes, the one with the lowest rank determines the state. */
const RANK: Readonly<Record<Episode["state"], number>> = { gap: 0, noSolution: 1, jamming: 2, convergence: 3 };

const MAX_CONVERGENCE_MS = 40 * MINUTE_MS;

/** On average one in this many epochs is lost singly. */
const EPOCHS_PER_LOSS = 3000;

/** Whether a single epoch is lost in transmission. */
export function isLost(lossKey: Key, timeMs: number): boolean {
  return hash(lossKey, timeMs / 1000) % EPOCHS_PER_LOSS === 0;
}

/** Divides a range into segments, in time order and without gaps; a pure function of site and range. */
export function segmentsOf(site: Site, startMs: number, endMs: number): Segment[] {
  const episodes = episodesIn(site, startMs, endMs);
  const cuts = new Set([startMs]);
  for (const episode of episodes) {
    if (episode.startMs > startMs && episode.startMs < endMs) cuts.add(episode.startMs);
    if (episode.endMs > startMs && episode.endMs < endMs) cuts.add(episode.endMs);
  }
  const starts = [...cuts].toSorted((a, b) => a - b);
  return starts.map((from, i) => segmentFrom(episodes, from, starts[i + 1] ?? endMs));
}

/** The segment of a single moment; its bounds are those of the moment. */
export function segmentAt(site: Site, timeMs: number): Segment {
  return segmentFrom(episodesIn(site, timeMs, timeMs + 1), timeMs, timeMs + 1);
}

/** @param episodes by rank; the first one at the start determines the state */
function segmentFrom(episodes: readonly Episode[], startMs: number, endMs: number): Segment {
  const episode = episodes.find((e) => e.startMs <= startMs && e.endMs > startMs) ?? null;
  return { state: episode?.state ?? "none", startMs, endMs, episode };
}

/** Every episode that overlaps with the range, by rank. */
function episodesIn(site: Site, startMs: number, endMs: number): Episode[] {
  const found: Episode[] = [];
  for (const kind of KINDS) {
    const last = Math.floor((endMs - 1) / kind.slotMs);
    for (let slot = Math.floor(startMs / kind.slotMs); slot <= last; slot++) {
      const episode = episodeOf(site, kind, slot);
      if (!episode) continue;
      found.push(episode);
      if (kind === OUTAGE) found.push(convergenceFrom(episode.endMs, episode.key));
    }
  }
  if (site.firstDataMs !== null) found.push(convergenceFrom(site.firstDataMs, keyOf(site.keys.episode, "first")));
  return found.filter((e) => e.startMs < endMs && e.endMs > startMs).toSorted((a, b) => RANK[a.state] - RANK[b.state]);
}

/** A solution takes 20 to 40 minutes to converge after a restart. */
function convergenceFrom(startMs: number, key: Key): Episode {
  const durationMs = between(key, 7, 20 * 60, 40 * 60) * SECOND_MS;
  return { state: "convergence", startMs, endMs: startMs + durationMs, key };
}

function episodeOf(site: Site, kind: Kind, slot: number): Episode | null {
  const key = keyOf(site.keys.episode, kind.name, slot);
  const chance = kind.state === "jamming" ? kind.chance * site.jamming : kind.chance;
  if (unit(key, 0) >= chance) return null;
  // Short ones are more common than long ones: their logarithm is distributed uniformly.
  const share = (kind.longestMs / kind.shortestMs) ** unit(key, 1);
  const durationMs = Math.round((kind.shortestMs * share) / SECOND_MS) * SECOND_MS;
  const roomMs = kind.slotMs - durationMs - MAX_CONVERGENCE_MS;
  const startMs = kind.slotMs * slot + Math.floor((unit(key, 2) * roomMs) / SECOND_MS) * SECOND_MS;
  return { state: kind.state, startMs, endMs: startMs + durationMs, key };
}
