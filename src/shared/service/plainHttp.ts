/**
 * Whether requests to an address are sent unencrypted to another computer, so that the API key can be intercepted.
 * `*.localhost` counts as another computer, because not every system resolves it to this one.
 */
export function isPlainHttp(address: string): boolean {
  const url = URL.parse(address.trim());
  if (url?.protocol !== "http:") return false;
  return url.hostname !== "localhost" && url.hostname !== "[::1]" && !/^127(?:\.\d{1,3}){3}$/.test(url.hostname);
}

export const PLAIN_HTTP_SENTENCE =
  "The address begins with http://: the API key would travel unencrypted, readable for everybody on the way. Use https:// if the service has it";
