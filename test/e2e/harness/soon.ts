/** Timeout for `expect.poll` on a busy computer. It bounds the duration of a failure and measures nothing. */
export const SOON = { timeout: 30_000, interval: 50 } as const;
