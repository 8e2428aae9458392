import { describe, expect, it } from "vitest";
import { corePort } from "../../src/shared/bridge/transport/shell.ts";
import { allowedAddress } from "#shared/addresses.ts";
import { isAllowed, isOwnDownload, isOwnReload } from "../../src/main/electron/permissions.ts";
import { proxyAddress } from "../../src/main/electron/proxy.ts";
import { PAGE_ORIGIN, senderWindow } from "../../src/main/electron/sender.ts";

function foreign(origin: string) {
  const frame = { origin };
  return { sender: { id: 3, mainFrame: frame }, senderFrame: frame };
}

describe("who may send to the main process", () => {
  const mainFrame = { origin: PAGE_ORIGIN };
  const windows = new Map([[3, "ours"]]);

  it("is the page in the main frame of one of our windows", () => {
    expect(senderWindow({ sender: { id: 3, mainFrame }, senderFrame: mainFrame }, windows)).toBe("ours");
  });

  it.each([
    ["a window that is not ours", { sender: { id: 4, mainFrame }, senderFrame: mainFrame }],
    ["a frame inside the page", { sender: { id: 3, mainFrame }, senderFrame: { origin: PAGE_ORIGIN } }],
    ["a frame that is gone", { sender: { id: 3, mainFrame }, senderFrame: null }],
    ["a page from elsewhere", foreign("https://example.org")],
    ["a host of the same scheme", foreign("app://elsewhere")],
    ["an origin that only begins the same", foreign(`${PAGE_ORIGIN}.example.org`)],
    ["no origin at all", foreign("null")],
  ])("is not %s", (_, message) => expect(senderWindow(message, windows)).toBeNull());

  it("is no one where it cannot be told", () => {
    const sender = {
      id: 3,
      get mainFrame(): unknown {
        throw new Error("Object has been destroyed");
      },
    };
    expect(senderWindow({ sender, senderFrame: mainFrame }, windows)).toBeNull();
  });
});

describe("the message that brings a port", () => {
  const self = { window: {}, origin: PAGE_ORIGIN };
  const message = {
    data: { kind: "zenith:port", nonce: "n", reason: null },
    origin: PAGE_ORIGIN,
    source: self.window,
    ports: ["port"],
  };

  it("is taken from the page's own preload script", () => {
    expect(corePort(message, "n", self)).toEqual({ port: "port", reason: null });
    const again = { ...message, data: { ...message.data, reason: "It stopped." } };
    expect(corePort(again, "n", self)?.reason).toBe("It stopped.");
  });

  it.each([
    ["another window", { ...message, source: {} }],
    ["another origin", { ...message, origin: "https://example.org" }],
    ["someone who does not know the word", { ...message, data: { ...message.data, nonce: "m" } }],
    ["a message without a port", { ...message, ports: [] }],
    ["another kind of message", { ...message, data: { ...message.data, kind: "x" } }],
    ["no object", { ...message, data: "zenith:port" }],
    ["nothing", { ...message, data: null }],
  ])("is not taken from %s", (_, event) => expect(corePort(event, "n", self)).toBeNull());
});

describe("addresses for the user's browser", () => {
  it("are the program's own help", () => {
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
  ])("are not %s", (address) => expect(allowedAddress(address)).toBeNull());
});

describe("what the page may have of the system", () => {
  it("is to copy, and to save what it drew", () => {
    expect(isAllowed("clipboard-sanitized-write", PAGE_ORIGIN, PAGE_ORIGIN)).toBe(true);
    expect(isAllowed("clipboard-sanitized-write", `${PAGE_ORIGIN}/index.html`, PAGE_ORIGIN)).toBe(true);
    expect(isOwnDownload(`blob:${PAGE_ORIGIN}/5d1c`, PAGE_ORIGIN)).toBe(true);
  });

  it.each(["clipboard-read", "geolocation", "media", "notifications", "openExternal", "fullscreen", "usb", "unknown"])(
    "is not %s",
    (permission) => expect(isAllowed(permission, PAGE_ORIGIN, PAGE_ORIGIN)).toBe(false),
  );

  it("is nothing for anyone else", () => {
    for (const origin of ["https://example.org", `${PAGE_ORIGIN}.example.org`, "", "null"])
      expect(isAllowed("clipboard-sanitized-write", origin, PAGE_ORIGIN)).toBe(false);
    for (const address of ["https://example.org/a", `blob:${PAGE_ORIGIN}.example.org/1`, "data:text/html,x"])
      expect(isOwnDownload(address, PAGE_ORIGIN)).toBe(false);
  });
});

describe("where a page may go", () => {
  const here = `${PAGE_ORIGIN}/index.html`;

  it("is to itself, once more", () => {
    expect(isOwnReload({ url: here, isMainFrame: true }, here, PAGE_ORIGIN)).toBe(true);
    expect(isOwnReload({ url: here, isMainFrame: true }, `${here}#a`, PAGE_ORIGIN)).toBe(true);
  });

  it.each([
    ["another page of its own", `${PAGE_ORIGIN}/other.html`, true, here],
    ["itself in a frame", here, false, here],
    ["the same page with another question", `${here}?a`, true, here],
    ["elsewhere", "https://example.org/", true, here],
    ["elsewhere from there", "https://example.org/", true, "https://example.org/"],
    ["an address that only begins the same", `${PAGE_ORIGIN}.example.org/`, true, `${PAGE_ORIGIN}.example.org/`],
  ])("is not to %s", (_, url, isMainFrame, current) =>
    expect(isOwnReload({ url, isMainFrame }, current, PAGE_ORIGIN)).toBe(false),
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
])("a resolver's answer %j means the proxy %j", (resolved, address) => expect(proxyAddress(resolved)).toBe(address));
