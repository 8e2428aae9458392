import { fromPageUrl, isAllowed, toPageUrl } from "./address.ts";
import type { Session } from "./cdp.ts";

type Handler = (request: Request) => Response | Promise<Response>;

export interface PausedRequest {
  readonly requestId: string;
  readonly frameId: string;
  readonly resourceType: string;
  readonly redirectedRequestId?: string;
  readonly request: {
    readonly url: string;
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly postData?: string;
  };
}

const handlers = new Map<string, Handler>();

/** The `protocol` of a session: handlers of the application's schemes. */
export const protocolHandlers = {
  handle(scheme: string, handler: Handler): void {
    if (handlers.has(scheme)) throw new Error(`Failed to register protocol: ${scheme}`);
    handlers.set(scheme, handler);
  },
};

/** Responds to a request of a page with the response of the handler of its scheme. Other requests are continued. */
export async function answerRequest(session: Session, paused: PausedRequest): Promise<void> {
  const { requestId, request } = paused;
  const url = fromPageUrl(request.url);
  if (url === request.url) {
    await session.send("Fetch.continueRequest", { requestId });
    return;
  }
  const handler = handlers.get(url.slice(0, url.indexOf(":")));
  const { resourceType } = paused;
  const isAnswered = handler && isAllowed(url, resourceType, request.headers["Origin"]);
  const response = isAnswered ? await respond(handler, url, request) : null;
  if (!response) {
    await session.send("Fetch.failRequest", { requestId, errorReason: handler ? "Failed" : "AddressUnreachable" });
    return;
  }
  const body = Buffer.from(await response.arrayBuffer());
  await session.send("Fetch.fulfillRequest", {
    requestId,
    responseCode: response.status,
    responseHeaders: [...response.headers].map(([name, value]) => ({
      name,
      value: name === "location" ? toPageUrl(value) : value,
    })),
    body: body.toString("base64"),
  });
}

async function respond(handler: Handler, url: string, request: PausedRequest["request"]): Promise<Response | null> {
  const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, fromPageUrl(value)]);
  const body = request.postData === undefined ? {} : { body: request.postData };
  try {
    return await handler(new Request(url, { method: request.method, headers, ...body }));
  } catch (error) {
    console.error(`The handler of ${url} failed:`, error);
    return null;
  }
}
