import { messageOf } from "#shared/fault.ts";
import { readWholeBody } from "./http/body.ts";
import { createTransport } from "./http/transport.ts";

const MAX_BYTES = 64_000;
const MAX_MS = 20_000;

/**
 * Tells an address that a run ended: a GET, with `/fail` at the end of the path after a failure, as services that watch
 * regular jobs expect. The request has no key and follows no redirect.
 *
 * @returns a sentence on why it was not told; null if it was
 */
export async function ping(address: string, hasFailed: boolean, stop: AbortSignal): Promise<string | null> {
  const url = new URL(address);
  if (hasFailed) url.pathname = `${url.pathname.replace(/\/$/, "")}/fail`;
  const { send, close } = createTransport();
  try {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(MAX_MS)]);
    const { status, body } = await send({ method: "GET", url, headers: { accept: "*/*" }, body: null, signal });
    await readWholeBody(body, MAX_BYTES);
    return status >= 200 && status < 300 ? null : `${url.host} responded with status ${status}.`;
  } catch (thrown) {
    return `${url.host} could not be reached: ${messageOf(thrown)}.`;
  } finally {
    await close();
  }
}
