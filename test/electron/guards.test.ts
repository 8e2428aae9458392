import { describe, expect, it } from "vitest";
import { corePort } from "#shared/bridge/transport/shell.ts";
import { allowedAddress } from "#shared/addresses.ts";
import { isAllowed, isOwnDownload, isOwnReload, PAGE_ORIGIN, senderWindow } from "#main/electron/permissions.ts";
import { proxyAddress } from "#main/electron/proxy.ts";

function foreign(origin: string) {
  const frame = { origin };
  return { sender: { id: 3, mainFrame: frame }, senderFrame: frame };
}

describe("a message to the main process", () => {
  const mainFrame = { origin: PAGE_ORIGIN };
  const windows = new Map([[3, "ours"]]);

  it("is accepted from the main frame of a window of the application", () => {
    expect(senderWindow({ sender: { id: 3, mainFrame }, senderFrame: mainFrame }, windows)).toBe("ours");
  });

  it.each([
    ["another window", { sender: { id: 4, mainFrame }, senderFrame: mainFrame }],
    ["a frame inside the page", { sender: { id: 3, mainFrame }, senderFrame: { origin: PAGE_ORIGIN } }],
    ["a frame that no longer exists", { sender: { id: 3, mainFrame }, senderFrame: null }],
    ["another origin", foreign("https://example.org")],
    ["another host of the same scheme", foreign("app://elsewhere")],
    ["an origin with the same prefix", foreign(`${PAGE_ORIGIN}.example.org`)],
    ["an opaque origin", foreign("null")],
  ])("is rejected from %s", (_, message) => expect(senderWindow(message, windows)).toBeNull());

  it("is rejected if its sender was destroyed", () => {
    const sender = {
      id: 3,
      get mainFrame(): unknown {
        throw new Error("Object has been destroyed");
      },
    };
    expect(senderWindow({ sender, senderFrame: mainFrame }, windows)).toBeNull();
  });
});

describe("a message with a port", () => {
  const self = { window: {}, origin: PAGE_ORIGIN };
  const message = {
    data: { kind: "zenith:port", nonce: "n", reason: null },
    origin: PAGE_ORIGIN,
    source: self.window,
    ports: ["port"],
  };

  it("is accepted from the preload script of the page", () => {
    expect(corePort(message, "n", self)).toEqual({ port: "port", reason: null });
    const restarted = { ...message, data: { ...message.data, reason: "It stopped." } };
    expect(corePort(restarted, "n", self)?.reason).toBe("It stopped.");
  });

  it.each([
    ["another source", { ...message, source: {} }],
    ["another origin", { ...message, origin: "https://example.org" }],
    ["a wrong nonce", { ...message, data: { ...message.data, nonce: "m" } }],
    ["no port", { ...message, ports: [] }],
    ["another kind", { ...message, data: { ...message.data, kind: "x" } }],
    ["a string as data", { ...message, data: "zenith:port" }],
    ["null as data", { ...message, data: null }],
  ])("is rejected with %s", (_, event) => expect(corePort(event, "n", self)).toBeNull());
});

describe("addresses opened in the user's browser", () => {
  it("include help pages", () => {
    expect(allowedAddress("https://cfconventions.org/cf-conventions/cf-conventions.html")).toMatch(/^https:/);
    expect(allowedAddress("https://docs.unidata.ucar.edu/netcdf-c/current/")).toMatch(/^https:/);
  });

  it.each([
    "http://cfconventions.org/",
    "https://cfconventions.org.example.org/",
    "https://cfconventions.org@example.org/",
    "https://user:word@cfconventions.org/",
    "https://cfconventions.org:8443/",
    "https://docs.unidata.ucar.edu/elsewhere/",
    "https://docs.unidata.ucar.edu/netcdf-c/../elsewhere/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "ms-settings:",
    "cfconventions.org",
    "",
  ])("do not include “%s”", (address) => expect(allowedAddress(address)).toBeNull());
});

describe("permissions of the page", () => {
  it("include writing to the clipboard and saving its own files", () => {
    expect(isAllowed("clipboard-sanitized-write", PAGE_ORIGIN)).toBe(true);
    expect(isAllowed("clipboard-sanitized-write", `${PAGE_ORIGIN}/index.html`)).toBe(true);
    expect(isOwnDownload(`blob:${PAGE_ORIGIN}/5d1c`)).toBe(true);
  });

  it.each(["clipboard-read", "geolocation", "media", "notifications", "openExternal", "fullscreen", "usb", "unknown"])(
    "do not include %s",
    (permission) => expect(isAllowed(permission, PAGE_ORIGIN)).toBe(false),
  );

  it("are not granted to other origins", () => {
    for (const origin of ["https://example.org", `${PAGE_ORIGIN}.example.org`, "", "null"])
      expect(isAllowed("clipboard-sanitized-write", origin)).toBe(false);
    for (const address of ["https://example.org/a", `blob:${PAGE_ORIGIN}.example.org/1`, "data:text/html,x"])
      expect(isOwnDownload(address)).toBe(false);
  });
});

describe("navigation of a page", () => {
  const here = `${PAGE_ORIGIN}/index.html`;

  it("is allowed as a reload", () => {
    expect(isOwnReload({ url: here, isMainFrame: true }, here)).toBe(true);
    expect(isOwnReload({ url: here, isMainFrame: true }, `${here}#a`)).toBe(true);
  });

  it.each([
    ["another page of the same origin", `${PAGE_ORIGIN}/other.html`, true, here],
    ["itself in a frame", here, false, here],
    ["the same page with a query", `${here}?a`, true, here],
    ["another origin", "https://example.org/", true, here],
    ["another origin from that origin", "https://example.org/", true, "https://example.org/"],
    ["an address with the same prefix", `${PAGE_ORIGIN}.example.org/`, true, `${PAGE_ORIGIN}.example.org/`],
  ])("is not allowed to %s", (_, url, isMainFrame, current) =>
    expect(isOwnReload({ url, isMainFrame }, current)).toBe(false),
  );
});

it.each([
  ["DIRECT", null],
  ["PROXY proxy.example.org:3128; DIRECT", "http://proxy.example.org:3128/"],
  ["HTTPS proxy.example.org:443", "https://proxy.example.org/"],
  ["PROXY [2001:db8::1]:3128", "http://[2001:db8::1]:3128/"],
  ["SOCKS5 proxy.example.org:1080", "socks5://proxy.example.org:1080"],
  ["SOCKS proxy.example.org:1080", null],
  ["DIRECT; PROXY proxy.example.org:3128", null],
  ["PROXY user@host/path", null],
  ["", null],
])("the resolved proxy %j is parsed as %j", (resolved, address) => expect(proxyAddress(resolved)).toBe(address));
