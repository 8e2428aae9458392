/**
 * The variables that hold the API key: ours, and any other of the same value. Programs show their environment to others
 * of the same user, and hand it on to whatever they start.
 */
export function keyVariables(env: NodeJS.ProcessEnv): string[] {
  const key = env["ZENITH_API_KEY"]?.trim();
  if (!key) return [];
  return Object.keys(env).filter((name) => env[name]?.includes(key));
}

/** The environment for another program that is started from here, a browser for one: no key, and nothing of ours. */
export function childEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const withKey = new Set(keyVariables(env));
  const isHarmless = (name: string): boolean => !withKey.has(name) && !name.toUpperCase().startsWith("ZENITH_");
  return Object.fromEntries(Object.entries(env).filter(([name]) => isHarmless(name)));
}
