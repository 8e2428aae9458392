import { codeOf } from "#shared/fault.ts";
import type { ServiceError, ServiceErrorKind } from "#shared/service/error.ts";
import { BodyError } from "../http/body.ts";
import { ProxyAddressError } from "../http/environmentProxy.ts";
import { StalledError } from "../http/stallTimeout.ts";
import { serviceError } from "./refusal.ts";

/** The part of an exchange in which it failed. */
type Phase = "head" | "body";

const EXPIRED = new Set(["CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID"]);
const UNTRUSTED = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "CERT_UNTRUSTED",
  "CERT_REVOKED",
  "CERT_SIGNATURE_FAILURE",
  "CERT_REJECTED",
  "CERT_CHAIN_TOO_LONG",
  "INVALID_CA",
]);
const TIMED_OUT = new Set(["UND_ERR_CONNECT_TIMEOUT", "ETIMEDOUT", "UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]);
/** No connection was established. */
const UNCONNECTED = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EAI_NODATA",
  "ENETUNREACH",
  "EHOSTUNREACH",
  "ENETDOWN",
  "UND_ERR_CONNECT_TIMEOUT",
]);
/** The body contradicts its own length or encoding. */
const MISFIT = new Set([
  "UND_ERR_RES_CONTENT_LENGTH_MISMATCH",
  "Z_BUF_ERROR",
  "Z_DATA_ERROR",
  "Z_STREAM_ERROR",
  "ERR_STREAM_PREMATURE_CLOSE",
]);

/** A request through a proxy failed; the cause says how. */
export class ThroughProxyError extends Error {
  override readonly name = "ThroughProxyError";
  /** Host and port, without a password. */
  readonly proxyHost: string;
  /** The environment variable that names the proxy; null: the proxy of the system. */
  readonly variable: string | null;

  constructor(proxyHost: string, variable: string | null, cause: unknown) {
    // Without the name of the host, in which words would be taken as those of the error.
    super("the request was proxied", { cause });
    this.proxyHost = proxyHost;
    this.variable = variable;
  }
}

/** The certificates of the connection cannot be read; the message is a sentence. */
export class CertificateFileError extends Error {
  override readonly name = "CertificateFileError";
}

/** Whether a certificate was refused because its issuer is not trusted; nothing was sent then. */
export function isUntrusted(thrown: unknown): boolean {
  return codesOf(thrown).some((code) => UNTRUSTED.has(code));
}

/** Returns the error for an exception of the transport or of reading a body. */
export function transportError(thrown: unknown, phase: Phase, host: string): ServiceError {
  const codes = codesOf(thrown);
  const has = (known: ReadonlySet<string>) => codes.some((code) => known.has(code));
  const cause = causesText(thrown);

  const fail = (kind: ServiceErrorKind, message: string, more: Partial<ServiceError> = {}): ServiceError =>
    serviceError(kind, message, { cause, ...more });

  if (thrown instanceof ProxyAddressError) return fail("proxy", thrown.message, { isUnsent: true, isSetting: true });
  const unreadable = [thrown, thrown instanceof Error ? thrown.cause : null].find(
    (one) => one instanceof CertificateFileError,
  );
  if (unreadable) return fail("tls", unreadable.message, { isUnsent: true, isSetting: true });
  const proxy = thrown instanceof ThroughProxyError ? thrown : null;
  if (thrown instanceof BodyError) return fail("notTheService", bodySentence(thrown, host));
  if (thrown instanceof StalledError)
    return fail("network", `${host} went silent: ${thrown.message}. Check the connection.`);
  if (has(EXPIRED))
    return fail(
      "tls",
      `The certificate of ${host} is not valid today. Check the clock of this computer; if it is right, the operator of the service has to renew the certificate.`,
    );
  if (has(new Set(["ERR_TLS_CERT_ALTNAME_INVALID"])))
    return fail(
      "tls",
      `The certificate shown for ${host} belongs to another host, so this may not be the service. Check the address, and whether the network asks for a login first.`,
    );
  if (has(UNTRUSTED))
    return fail(
      "tls",
      `The certificate of ${host} was not issued by an authority that this computer trusts. If your organization inspects traffic, add its root certificate to the trusted ones of this system.`,
    );
  if (codes.some((code) => code === "EPROTO" || code.startsWith("ERR_SSL_") || code.startsWith("ERR_TLS_")))
    return fail(
      "tls",
      `No secure connection to ${host} could be agreed on. Check whether the address should begin with http:// or name another port.`,
    );
  const isUnconnected = proxy !== null && has(UNCONNECTED);
  if (!isUnconnected && (/\bproxy\b/i.test(cause) || codes.includes("UND_ERR_PRX_TLS"))) {
    const [name, setting] = proxy
      ? [`The proxy ${proxy.proxyHost}`, settingOf(proxy)]
      : ["The proxy", "the proxy of the system or HTTPS_PROXY"];
    const message = `${name} between this computer and ${host} refused the connection. Check ${setting}, and whether the proxy asks for a password.`;
    return fail("proxy", message, { status: cause.includes("407") ? 407 : null });
  }
  if (phase === "body" && (has(MISFIT) || /other side closed|terminated|premature/i.test(cause)))
    return fail("truncated", `The answer of ${host} ended too early and was discarded.`);
  const isNoHttp =
    /^(?:HTTPParserError\b|SocketError: bad (?:response|upgrade))/.test(cause) ||
    codes.includes("UND_ERR_HEADERS_OVERFLOW");
  if (phase === "body" && isNoHttp)
    return fail("truncated", `The answer of ${host} was damaged in transit and was discarded.`);
  if (isNoHttp)
    return fail("notTheService", `What answers at ${host} does not speak HTTP. Check the address and its port.`);
  const message = proxy
    ? proxySentence(proxy, codes, isUnconnected || has(TIMED_OUT), host)
    : networkSentence(codes, has(TIMED_OUT), phase, host);
  return fail("network", message, has(UNCONNECTED) ? { isUnsent: true } : {});
}

function settingOf({ variable }: ThroughProxyError): string {
  return variable ?? "the proxy of the system";
}

/** Only the proxy looks up the service and connects to it, so that an error of the connection is one of the proxy. */
function proxySentence(
  proxy: ThroughProxyError,
  codes: readonly string[],
  isUnconnected: boolean,
  host: string,
): string {
  const name = `The proxy ${proxy.proxyHost} between this computer and ${host}`;
  const setting = settingOf(proxy);
  if (codes.includes("ENOTFOUND") || codes.includes("EAI_NODATA") || codes.includes("EAI_AGAIN"))
    return `${name} cannot be found under this name. Check ${setting}, and whether this computer is online.`;
  if (codes.includes("ECONNREFUSED")) return `${name} does not answer: the connection was refused. Check ${setting}.`;
  if (isUnconnected) return `${name} does not answer. Check ${setting}, or try again later.`;
  return `The connection to ${host} through the proxy ${proxy.proxyHost} was lost before an answer came. Check ${setting}, or try again later.`;
}

function networkSentence(codes: readonly string[], timedOut: boolean, phase: Phase, host: string): string {
  if (codes.includes("ENOTFOUND") || codes.includes("EAI_NODATA")) {
    return `The name ${host} is unknown. Check the address, and whether this computer is online.`;
  }
  if (codes.includes("EAI_AGAIN"))
    return `The name ${host} cannot be looked up now. Check whether this computer is online.`;
  if (codes.includes("ECONNREFUSED")) {
    return `Nothing answers at ${host}: the connection was refused. Check the address and its port, or try again later.`;
  }
  if (timedOut) return `${host} does not answer. Check the connection, or try again later.`;
  if (codes.includes("ENETUNREACH") || codes.includes("EHOSTUNREACH") || codes.includes("ENETDOWN")) {
    return `${host} cannot be reached from here. Check whether this computer is online.`;
  }
  return phase === "body"
    ? `The connection to ${host} was lost during the response, which was discarded.`
    : `The connection to ${host} was lost before an answer came. Check the connection, or try again later.`;
}

function bodySentence({ code }: BodyError, host: string): string {
  return code === "encoding"
    ? `The answer of ${host} has an encoding that was not requested. A device between here and the service may have changed it.`
    : `The answer of ${host} is far larger than any of this service could be, and was not read. Check the address.`;
}

/** Codes of an exception, of its causes, and of the errors that it aggregates. */
function codesOf(thrown: unknown, depth = 0): string[] {
  if (!(thrown instanceof Error) || depth > 5) return [];
  const code = codeOf(thrown);
  const inner = thrown instanceof AggregateError ? thrown.errors.flatMap((e) => codesOf(e, depth + 1)) : [];
  return [...(code === "" ? [] : [code]), ...inner, ...codesOf(thrown.cause, depth + 1)];
}

/** An exception and its causes in one line, for the log. */
function causesText(thrown: unknown, depth = 0): string {
  if (!(thrown instanceof Error)) return String(thrown).slice(0, 500);
  const code = codeOf(thrown);
  const own = `${thrown.name}: ${thrown.message.slice(0, 500)}${code === "" ? "" : ` (${code})`}`;
  return thrown.cause === undefined || depth > 3 ? own : `${own} <- ${causesText(thrown.cause, depth + 1)}`;
}
