// Requests to other servers than that of a connection: without its key.
import { z } from "zod";
import type { Release } from "#shared/bridge/methods/settings.ts";
import { failure, type Result, type ServiceError, success } from "#shared/service/error.ts";
import { transportError } from "./errors/transportError.ts";
import { quoted, serviceError } from "./errors/refusal.ts";
import { readWholeBody } from "./http/body.ts";
import { isLoopback, isRedirect } from "./http/baseUrl.ts";
import type { Transport, TransportResponse } from "./types.ts";
import { messageOf } from "#shared/fault.ts";
import { createTransport } from "./http/transport.ts";

/** Limits of an answer that is not data. */
const MAX_BYTES = 64_000;
const MAX_MS = 20_000;
const MAX_HOPS = 3;
const MAX_NOTES = 30;

const part = z.string().regex(/^(0|[1-9]\d{0,4})\.(0|[1-9]\d{0,4})\.(0|[1-9]\d{0,4})$/);
const schema = z.object({
  version: part,
  date: z.iso.date().nullish(),
  notes: z.array(z.string()).catch([]).default([]),
});

/**
 * Fetches the newest version from a feed of releases. The request has no key, no version, no cookie, and no name of this
 * program. The feed is untrusted: if it is too large, no JSON or of another form, that is a failure.
 */
export async function newestRelease(
  feed: URL,
  send: Transport,
  signal: AbortSignal,
): Promise<Result<Release, ServiceError>> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(MAX_MS)]);
  try {
    const answer = await follow(feed, send, limited);
    const body = answer === null ? null : await readWholeBody(answer.body, MAX_BYTES);
    const release = answer?.status === 200 && body !== null ? parse(body) : null;
    if (release !== null) return success(release);
    const said = answer === null ? "leads elsewhere" : `answers with status ${answer.status}`;
    const why = answer?.status === 200 ? "does not tell a version" : said;
    return failure(serviceError("notTheService", `The feed of releases at ${feed.host} ${why}. Try again later.`));
  } catch (thrown) {
    if (signal.aborted) return failure(serviceError("cancelled", "The check was cancelled."));
    return failure(transportError(thrown, "head", feed.host));
  }
}

/** Follows redirects, which may lead to other hosts, as those of released files do; null if they lead nowhere. */
async function follow(feed: URL, send: Transport, signal: AbortSignal): Promise<TransportResponse | null> {
  let url: URL | null = feed;
  for (let hops = 0; url !== null && hops <= MAX_HOPS; hops++) {
    const answer = await send({ method: "GET", url, headers: { accept: "application/json" }, body: null, signal });
    if (!isRedirect(answer.status)) return answer;
    await readWholeBody(answer.body, MAX_BYTES);
    const next: URL | null = URL.parse(answer.headers["location"] ?? "", url.href);
    const isSafe: boolean = next?.protocol === "https:" || (next !== null && isLoopback(feed) && isLoopback(next));
    url = isSafe ? next : null;
  }
  return null;
}

function parse(body: Buffer): Release | null {
  try {
    const found = schema.safeParse(JSON.parse(body.toString("utf8")));
    if (!found.success) return null;
    const { version, date, notes } = found.data;
    const shown = notes.slice(0, MAX_NOTES).map(quoted);
    return { version, date: date ?? null, notes: shown.filter((note) => note !== "") };
  } catch {
    return null;
  }
}

/** Whether a version (`1.2.3`) is newer than another. */
export function isNewer(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split(".").map(Number));
  for (let at = 0; at < 3; at++) {
    const difference = (a?.[at] ?? 0) - (b?.[at] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

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
