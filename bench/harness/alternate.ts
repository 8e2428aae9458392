import type { Peer, Tool } from "./types.ts";

export interface Pair<O, P> {
  readonly ours: readonly O[];
  readonly theirs: readonly P[];
}

interface Measured<P> {
  readonly tool: Tool;
  readonly theirs: (path: string, run: number) => Promise<P>;
  /** As many as ours by default. */
  readonly peerRuns?: number;
}

/**
 * Measures us and a peer in turn, so that other work on the machine affects both alike. Skips a peer whose tool is
 * missing.
 */
export async function alternate<O, P>(
  runs: number,
  ours: (run: number) => Promise<O>,
  { tool, theirs, peerRuns = runs }: Measured<P>,
): Promise<Pair<O, P>> {
  const pair = { ours: [] as O[], theirs: [] as P[] };
  for (let run = 0; run < runs; run++) {
    pair.ours.push(await ours(run));
    if ("path" in tool && run < peerRuns) pair.theirs.push(await theirs(tool.path, run));
  }
  return pair;
}

/** The peer of a finding: its samples, or how to install it. */
export function peer(name: string, tool: Tool, samples: readonly number[]): Peer {
  return "absent" in tool ? { name, absent: tool.absent } : { name, samples };
}
