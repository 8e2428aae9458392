/** For `expect.poll`: patience for a busy computer. It bounds how long a failure takes, and times nothing. */
export const SOON = { timeout: 30_000, interval: 50 } as const;
