import { failure, type Result, type ServiceError, success } from "#shared/service/error.ts";
import { looksLikePage, serviceError } from "./errors/refusal.ts";
import { readWholeBody } from "./http/body.ts";
import type { ServiceResponse } from "./request.ts";
import { parseTolerantly } from "./scanner/values.ts";

/** Far more than any page of the catalogue, and than the latest rows of many thousand stations. */
const MAX_BYTES = 64_000_000;

/** Reads a JSON response. A byte order mark is skipped; bytes that are not UTF-8 become U+FFFD: they only occur in names. */
export async function readJson(answer: ServiceResponse): Promise<Result<unknown>> {
  const type = typeProblem(answer);
  if (type !== null) return failure(type);
  const bytes = await readWholeBody(answer.body, MAX_BYTES);
  if (bytes === null) return failure(notTheServiceError(answer, `more than ${MAX_BYTES} bytes`));
  const text = new TextDecoder("utf-8").decode(bytes);
  try {
    return success(parseTolerantly(text));
  } catch (error) {
    if (looksLikePage(text, undefined)) return failure(webPageError(answer));
    if (/^\s*[[{]/.test(text)) return failure(truncatedError(answer, "is not whole", String(error).slice(0, 200)));
    return failure(notTheServiceError(answer, `no JSON: ${String(error).slice(0, 200)}`));
  }
}

/** Returns the error if the `content-type` cannot be JSON; JSON labelled as other text is accepted. */
export function typeProblem(answer: ServiceResponse): ServiceError | null {
  const type = answer.headers["content-type"] ?? "";
  if (looksLikePage("", type)) return webPageError(answer);
  if (type === "" || /json|^text\/|^application\/octet-stream/i.test(type)) return null;
  return notTheServiceError(answer, `content-type ${type.slice(0, 100)}`);
}

export function webPageError(answer: ServiceResponse): ServiceError {
  const message = `${answer.host} answered with a web page instead of data. Either the network asks for a login first (open any page in a web browser), or the address is not that of the service.`;
  return serviceError("notTheService", message, { status: 200, cause: "a web page" });
}

/** A response that began as JSON and was truncated or damaged in transit: a retry may succeed. */
export function truncatedError(answer: ServiceResponse, how: string, cause: string): ServiceError {
  const message = `The answer of ${answer.host} ${how}. It was discarded and is requested again.`;
  return serviceError("truncated", message, { status: 200, cause });
}

/** A response of another kind than requested. */
export function notTheServiceError(answer: ServiceResponse, cause: string): ServiceError {
  const message = `The answer of ${answer.host} is not one of this service. Check the address of the service, and whether a device on the way changes what passes.`;
  return serviceError("notTheService", message, { status: 200, cause });
}

/** Encodes query pairs in their order, without undefined ones. Commas are not encoded. */
export function encodeQuery(list: Iterable<readonly [string, string | number | undefined]>): string {
  return [...list]
    .flatMap(([name, value]) =>
      value === undefined ? [] : `${name}=${encodeURIComponent(value).replaceAll("%2C", ",")}`,
    )
    .join("&");
}
