/**
 * The environment variables that contain the API key: ours, and any other with the same value. Other processes of the
 * user can read the environment, and child processes inherit it.
 */
export function keyVariables(env: NodeJS.ProcessEnv): string[] {
  const key = env["ZENITH_API_KEY"]?.trim();
  if (!key) return [];
  return Object.keys(env).filter((name) => env[name]?.includes(key));
}

/** The environment for a child process such as a browser: without the key and our variables. */
export function childEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const withKey = new Set(keyVariables(env));
  const isPassedOn = (name: string): boolean => !withKey.has(name) && !name.toUpperCase().startsWith("ZENITH_");
  return Object.fromEntries(Object.entries(env).filter(([name]) => isPassedOn(name)));
}
