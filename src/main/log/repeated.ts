/** Logs problems that every further attempt meets again, such as a full disk: each once, until it changes or ends. */
export interface RepeatedProblems {
  /** @param about what was attempted, such as the id of a schedule */
  failed(about: string, thrown: unknown): void;
  worked(about: string): void;
}

export function createRepeatedProblems(write: (thrown: unknown) => void): RepeatedProblems {
  const last = new Map<string, string>();
  return {
    failed(about, thrown) {
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      if (last.get(about) === reason) return;
      last.set(about, reason);
      write(thrown);
    },
    worked: (about) => void last.delete(about),
  };
}
