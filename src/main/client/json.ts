import { failure, type Result, type ServiceError, success } from "#shared/service/error.ts";
import { serviceError } from "./errors/make.ts";
import { looksLikePage } from "./errors/refusal.ts";
import { wholeBody } from "./http/body.ts";
import type { Answer } from "./request.ts";
import { parseTolerantly } from "./scanner/values.ts";

/** Far above any page of the catalogue, and above the latest rows of many thousand stations. */
const MOST_BYTES = 64_000_000;

/** A whole JSON answer. A byte order mark is passed over; bytes that are no UTF-8 are an error, never replaced. */
export async function readJson(answer: Answer): Promise<Result<unknown>> {
  const type = typeProblem(answer);
  if (type !== null) return failure(type);
  const bytes = await wholeBody(answer.body, MOST_BYTES);
  if (bytes === null) return failure(notTheService(answer, `more than ${MOST_BYTES} bytes`));
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return failure(notTheService(answer, "the body is no UTF-8"));
  }
  try {
    return success(parseTolerantly(text));
  } catch (error) {
    if (looksLikePage(text, undefined)) return failure(aPage(answer));
    if (/^\s*[[{]/.test(text)) return failure(brokenOff(answer, "is not whole", String(error).slice(0, 200)));
    return failure(notTheService(answer, `no JSON: ${String(error).slice(0, 200)}`));
  }
}

/** What the `content-type` of an answer rules out; JSON under another name of text is read all the same. */
export function typeProblem(answer: Answer): ServiceError | null {
  const type = answer.headers["content-type"] ?? "";
  if (looksLikePage("", type)) return aPage(answer);
  if (type === "" || /json|^text\/|^application\/octet-stream/i.test(type)) return null;
  return notTheService(answer, `content-type ${type.slice(0, 100)}`);
}

export function aPage(answer: Answer): ServiceError {
  const message = `${answer.host} answered with a web page instead of data. Either the network asks for a login first (open any page in a web browser), or the address is not that of the service.`;
  return serviceError("notTheService", message, { status: 200, cause: "a web page" });
}

/** An answer that began as JSON does, and was cut short or damaged on the way: another time it may be whole. */
export function brokenOff(answer: Answer, how: string, cause: string): ServiceError {
  const message = `The answer of ${answer.host} ${how}. It was discarded and is requested again.`;
  return serviceError("truncated", message, { status: 200, cause });
}

/** An answer of another kind than asked for. */
export function notTheService(answer: Answer, cause: string): ServiceError {
  const message = `The answer of ${answer.host} is not one of this service. Check the address of the service, and whether a device on the way changes what passes.`;
  return serviceError("notTheService", message, { status: 200, cause });
}

/** Encoded query pairs in their order; what is undefined is left out. Commas stay as they are. */
export function pairs(list: Iterable<readonly [string, string | number | undefined]>): string {
  return [...list]
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value!).replaceAll("%2C", ",")}`)
    .join("&");
}
