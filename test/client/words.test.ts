import { describe, expect, test } from "vitest";
import { quoted, withoutKey, serviceError } from "#main/client/errors/refusal.ts";
import { isLoopback, nextHop, readBaseUrl } from "#main/client/http/baseUrl.ts";
import { parseHttpDate, parseRetryAfter } from "#main/client/http/times.ts";

describe("the address of a service", () => {
  test.each([
    ["https://gnss.example.org", "https://gnss.example.org", ""],
    [" https://gnss.example.org/ ", "https://gnss.example.org", ""],
    ["https://gnss.example.org/api/v1", "https://gnss.example.org", ""],
    ["https://gnss.example.org/api/v1/", "https://gnss.example.org", ""],
    ["https://gnss.example.org/met//api/v1/stations", "https://gnss.example.org", "/met"],
    ["HTTP://GNSS.example.org:8080/met/", "http://gnss.example.org:8080", "/met"],
    ["https://[::1]:8443", "https://[::1]:8443", ""],
  ])("%s is read", (typed, origin, path) => {
    expect(readBaseUrl(typed)).toStrictEqual({ ok: true, value: { origin, path } });
  });

  test.each([
    ["", /empty/],
    ["gnss.example.org", /no https:\/\/ in front.*https:\/\/gnss\.example\.org/],
    ["localhost:8080", /no https:\/\//],
    ["ftp://gnss.example.org", /ftp:/],
    ["https://", /not a valid address/],
    ["https://gnss.example.org:99999", /not a valid address/],
    ["https://me:secret@gnss.example.org", /user name or password/],
    ["https://gnss.example.org/?key=1", /query/],
    ["https://gnss.example.org/#x", /query/],
  ])("%s is rejected with a message", (typed, message) => {
    expect(readBaseUrl(typed)).toStrictEqual({ ok: false, error: expect.stringMatching(message) });
  });

  test("is loopback only for this computer", () => {
    const own = ["http://localhost", "http://127.0.0.1:1", "http://127.9.9.9", "https://[::1]", "http://a.localhost"];
    const foreign = ["http://127.0.0.1.example.org", "http://localhost.example.org", "http://10.0.0.1", "http://[::2]"];
    expect(own.filter((url) => !isLoopback(new URL(url)))).toStrictEqual([]);
    expect(foreign.filter((url) => isLoopback(new URL(url)))).toStrictEqual([]);
  });
});

describe("redirects", () => {
  const from = new URL("https://gnss.example.org/api/v1/stations?page=2");

  test.each([
    [301, "POST", "/other", "POST", true],
    [302, "POST", "https://gnss.example.org:443/x", "POST", true],
    [303, "POST", "y", "GET", false],
    [307, "POST", "?page=3", "POST", true],
    [308, "GET", "/other", "GET", false],
  ] as const)("%i of %s to %s are followed within the origin", (status, method, location, then, keepsBody) => {
    const hop = nextHop(status, from, method, location);
    expect(hop).toMatchObject({ ok: true, value: { method: then, keepsBody } });
  });

  test.each([
    ["http://gnss.example.org/x", "http://gnss.example.org"],
    ["https://gnss.example.org:8443/x", "https://gnss.example.org:8443"],
    ["https://www.gnss.example.org/", "https://www.gnss.example.org"],
    ["//evil.example/x", "https://evil.example"],
    ["https://user:word@gnss.example.org/x", "https://gnss.example.org"],
    ["file:///etc/passwd", "file:"],
    ["data:application/json,{}", "data:"],
    ["https://", "an unreadable address"],
    [undefined, "nowhere"],
  ])("to %s are rejected", (location, origin) => {
    expect(nextHop(307, from, "POST", location)).toStrictEqual({ ok: false, error: origin });
  });
});

describe("Retry-After", () => {
  const local = Date.UTC(2026, 0, 2, 12);
  const server = Date.UTC(2026, 0, 1, 12);

  test.each<[string | undefined, number | null, number | null]>([
    ["5", null, 5_000],
    [" 0 ", null, 0],
    ["1.5", null, 1_500],
    ["-5", null, 0],
    ["1e9", null, 600_000],
    ["1000000000", null, 600_000],
    ["9".repeat(400), null, 600_000],
    ["Thu, 01 Jan 2026 12:00:30 GMT", server, 30_000],
    ["Thu, 01 Jan 2026 12:00:30 GMT", null, 0],
    ["Thu, 01 Jan 2026 11:00:00 GMT", server, 0],
    ["Fri, 01 Jan 2100 00:00:00 GMT", server, 600_000],
    ["Thursday, 01-Jan-26 12:00:30 GMT", server, 30_000],
    ["Thu Jan  1 12:00:30 2026", server, 30_000],
    ["soon 5", null, null],
    ["", null, null],
    ["5 seconds", null, null],
    ["2026", null, 600_000],
    ["Thu, 99 Foo 2026", server, null],
    [undefined, server, null],
  ])("%s gives a bounded wait or null", (text, serverTimeMs, waitMs) => {
    expect(parseRetryAfter(text, serverTimeMs, local)).toBe(waitMs);
  });

  test("an invalid Date header is ignored", () => {
    expect([undefined, "", "now", "1", "2026-01-01T00:00:00Z"].map((text) => parseHttpDate(text))).toStrictEqual(
      Array.from({ length: 5 }, () => null),
    );
  });
});

describe("foreign text in a message", () => {
  test("has no markup, control characters or direction overrides, one line and a limited length", () => {
    const text = `<script>alert(1)</script><b>No</b>\u0000\u0007 such\n\u202estation\u2069 ${"x".repeat(1_000)}`;
    expect(quoted(text)).toMatch(/^No such station x+…$/);
    expect(quoted(text).length).toBeLessThan(320);
  });

  test("does not contain the key in any encoding", () => {
    const key = 'k"ey+/=%1';
    const spellings = [
      key,
      encodeURIComponent(key),
      JSON.stringify(key),
      Buffer.from(key).toString("base64"),
      Buffer.from(key).toString("hex"),
    ];
    const error = withoutKey(serviceError("invalid", spellings.join(" "), { cause: `X-API-Key: ${key}` }), key);
    expect(error.message).toBe('[key] [key] "[key]" [key] [key]');
    expect(error.cause).toBe("X-API-Key: [key]");
  });
});
