import type { ServiceError, ServiceErrorKind } from "#shared/service/error.ts";
import { errorSentence } from "./bodyReport.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { KeyScrubber } from "../../log/secrets.ts";
import { parseRetryAfter } from "../http/times.ts";
import { parseLimit } from "./limit.ts";

type Extras = Partial<
  Pick<ServiceError, "status" | "limitPoints" | "retryAfterMs" | "isUnsent" | "isSetting" | "cause">
>;

/** Creates an error; the fields without a value are null. */
export function serviceError(kind: ServiceErrorKind, message: string, extras: Extras = {}): ServiceError {
  return { kind, message, status: null, limitPoints: null, retryAfterMs: null, cause: null, ...extras };
}

/** A service error thrown through code that reads a body. Only the client throws and catches it. */
export class ServiceFailure extends Error {
  override readonly name = "ServiceFailure";
  readonly error: ServiceError;
  constructor(error: ServiceError) {
    super(error.message);
    this.error = error;
  }
}

const MAX_QUOTED = 300;

/** Makes foreign text safe for a sentence: one line, no markup, no invisible or bidirectional characters, limited length. */
export function quoted(text: string): string {
  const plain = text
    .replace(/<(script|style)\b[^>]*>.*?<\/\1>/gis, " ")
    .replace(/<[^>]{0,500}>/g, " ")
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  return plain.length > MAX_QUOTED ? `${plain.slice(0, MAX_QUOTED)}…` : plain;
}

/** Removes the key from an error, in all forms in which a server or library may have repeated it. */
export function withoutKey(error: ServiceError, key: string | null): ServiceError {
  if (key === null || key === "") return error;
  const { scrub } = new KeyScrubber(key);
  return { ...error, message: scrub(error.message), cause: error.cause === null ? null : scrub(error.cause) };
}

/** A response without success, as far as it was read. */
interface Refused {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The start of the body. */
  readonly text: string;
  readonly serverTimeMs: UtcMs | null;
  readonly host: string;
  /** Data points of the request; null if unknown. */
  readonly points: number | null;
}

/** Returns the error for a status other than 200 (specification 7). */
export function refusal(refused: Refused): ServiceError {
  const { status, headers, text, host } = refused;
  const type = headers["content-type"];
  const kind = refusalKind(status, looksLikePage(text, type));
  const said = sentenceIn(text, type);
  const retryAfterMs =
    kind === "busy" || kind === "unavailable"
      ? parseRetryAfter(headers["retry-after"], refused.serverTimeMs, Date.now())
      : null;
  const limitPoints = kind === "tooLarge" ? parseLimit(errorSentenceIn(text) ?? text, refused.points) : null;
  const message = said === "" ? meaning(status, kind, host) : `${meaning(status, kind, host)} It says: “${said}”`;
  return serviceError(kind, message, { status, limitPoints, retryAfterMs, cause: `HTTP ${status}: ${quoted(text)}` });
}

/** Returns the error for the sentence of an error body with status 200. */
export function errorInBody(sentence: string, points: number | null, host: string): ServiceError {
  return limitErrorInBody(sentence, points, host) ?? insteadOfData("unavailable", sentence, null, host);
}

/** The same if the sentence states a size limit, otherwise null. */
export function limitErrorInBody(sentence: string, points: number | null, host: string): ServiceError | null {
  const limitPoints = parseLimit(sentence, points);
  return limitPoints === null ? null : insteadOfData("tooLarge", sentence, limitPoints, host);
}

function insteadOfData(
  kind: "unavailable" | "tooLarge",
  sentence: string,
  limitPoints: number | null,
  host: string,
): ServiceError {
  const message = `${host} answered with an error instead of data. It says: “${quoted(sentence)}”`;
  return serviceError(kind, message, {
    status: 200,
    limitPoints,
    cause: `HTTP 200 with an error: ${quoted(sentence)}`,
  });
}

const KINDS: Readonly<Record<number, ServiceErrorKind>> = {
  401: "unauthorized",
  403: "forbidden",
  404: "notFound",
  407: "proxy",
  408: "deadline",
  410: "notFound",
  413: "tooLarge",
  425: "unavailable",
  429: "busy",
  // The network requires a login (RFC 6585).
  511: "notTheService",
};

/** @param isPage whether the body is a web page */
function refusalKind(status: number, isPage: boolean): ServiceErrorKind {
  // The errors of the service are JSON: this is a firewall, which knows nothing about the rights of a key.
  if (status === 403 && isPage) return "notTheService";
  return KINDS[status] ?? (status >= 500 ? "unavailable" : status >= 400 ? "invalid" : "notTheService");
}

/** Explains a status, without assuming what the request was for or whether it is repeated. */
function meaning(status: number, kind: ServiceErrorKind, host: string): string {
  switch (kind) {
    case "unauthorized":
      return `${host} does not accept the API key (401). Check the key, or make a new one in the organization settings of the web portal.`;
    case "forbidden":
      return `${host} does not give the organization of this API key access to these data (403). Ask the owner of the data for access, or use a key of an organization that has it.`;
    case "notFound":
      return `${host} does not know this resource (${status}). If this happens with every request, check the address.`;
    case "proxy":
      return `The proxy between this computer and ${host} asks for a login (407). Put the user name and password into HTTPS_PROXY.`;
    case "deadline":
      return `${host} took too long for this request (408). A smaller request may succeed.`;
    case "tooLarge":
      return `${host} refuses requests of this size (413). Smaller requests may succeed.`;
    case "busy":
      return `${host} is taking as many requests of this organization as it allows (429). It takes more in a moment.`;
    case "unavailable":
      return `${host} cannot answer now (${status}). It may be able to in a little while.`;
    case "notTheService":
      if (status === 511)
        return `This network asks for a login before it lets anything through (511). Open any page in a web browser and log in.`;
      if (status === 403)
        return `A firewall between this computer and ${host}, or in front of it, refuses the request with a web page (403). Try again later, or ask the operator of the network.`;
      return `The answer of ${host} (status ${status}) is not an answer of this service. Check the address, and whether the network requires a login first.`;
    default:
      return `${host} does not accept the request (${status}).`;
  }
}

/** Returns the sentence of an error body, or its text if it is not JSON; empty for a web page, which is not quoted. */
export function sentenceIn(text: string, contentType: string | undefined): string {
  return quoted(errorSentenceIn(text) ?? (looksLikePage(text, contentType) ? "" : text));
}

function errorSentenceIn(text: string): string | null {
  try {
    return errorSentence(JSON.parse(text));
  } catch {
    // No JSON: proxies and web servers have error texts of their own.
    return null;
  }
}

/** Whether a body is a web page: that of a captive portal, a proxy or a wrong address. */
export function looksLikePage(text: string, contentType: string | undefined): boolean {
  return /\bx?html\b/i.test(contentType ?? "") || /^\s*</.test(text);
}
