import { describe, expect, test } from "vitest";
import { parseLimit } from "#main/client/index.ts";

const NBSP = "\u00a0";
const THIN = "\u2009";
const NARROW = "\u202f";

describe("parseLimit of a 413 message", () => {
  test.each<[string, number | null, number | null]>([
    // Message, points of the request, limit.
    ["The query has 720,000 data points; the limit of your organization is 100,000 data points.", null, 100_000],
    ["Query of 86,400 data points exceeds the limit of your organization, which is 10,000 data points", null, 10_000],
    ["limit of your organization is 10,000 data points", 86_400, 10_000],
    ["limit of your organization is 10 000 data points", 86_400, 10_000],
    [`limit of your organization is 10${NBSP}000 data points`, null, 10_000],
    [`limit of your organization is 10${THIN}000 data points`, null, 10_000],
    [`the limit is 1${NARROW}000${NARROW}000 points`, null, 1_000_000],
    ["Das Limit ist 10.000 Punkte", null, 10_000],
    ["limit: 10'000 points", null, 10_000],
    ["limit: 10_000 points", null, 10_000],
    ["The limit is 1e4 data points.", null, 10_000],
    ["limit=1E+5", null, 100_000],
    ["max 10000 points", null, 10_000],
    ["max. 10k points", null, 10_000],
    ["at most 2 million data points", null, 2_000_000],
    ["Maximum data points per request: 10000", null, 10_000],
    ["Requested 86400 points, 10000 allowed", null, 10_000],
    ["Too many data points: 86400 (allowed: 10000)", null, 10_000],
    ["Request exceeds limit (86400/10000)", 86_400, 10_000],
    ["86400 > 10000", null, 10_000],
    ["86400 > 10000 (max)", null, 10_000],
    ["Query too large: 86400 requested, 10000 allowed", null, 10_000],
    ["10000 data points per request", null, 10_000],
    ["The limit of 10000 points is exceeded by a request with 86400 points.", null, 10_000],
    ["limit exceeded: requested 86400 points, allowed 10000", null, 10_000],
    ["A query may ask for up to 10,000 data points; yours has an estimated size of 86,400.", null, 10_000],
    ["Estimated 86400 data points for 10 stations and 3 days; limit for your organization 5000", null, 5_000],
    ["limit set by your organization: 10,000 data points", null, 10_000],
    [
      "<html><body><h1>413</h1><p>The limit of your organization is <b>10,000</b> data&nbsp;points.</p></body></html>",
      null,
      10_000,
    ],
    ["413 Content Too Large: limit 10,000&nbsp;data points", null, 10_000],
    ["A request takes no more than 30 seconds and 10,000 data points", null, 10_000],
    // The request's own size and larger numbers are not limits.
    ["The limit is 100,000 data points", 100_000, null],
    ["The limit is 100,000 data points", 50_000, null],
    ["Too many points (10000)", null, null],
    ["Too many points: 86400", 86_400, null],
    ["Your request has 86,400 data points, which is too many.", null, null],
    ["Query exceeds the limit by 5,000 points", null, null],
    // One number of points below that of the request can only be the limit.
    ["10000 points!", 86_400, 10_000],
    // Bytes, times and numbers of other things.
    ["Response larger than 150 MB", null, null],
    ["The limit is 150 MB", null, null],
    ["limit 157286400 bytes", null, null],
    ["Result exceeds 150,000,000 bytes", null, null],
    ["maximum of 50 stations", null, null],
    ["limit of 31 days", null, null],
    ["at most 100% of the quota", null, null],
    ["413 Request Entity Too Large", null, null],
    [
      "<html><head><title>413 Request Entity Too Large</title></head><body><center>nginx/1.24.0</center></body></html>",
      null,
      null,
    ],
    // Invalid limits.
    ["The limit is 0 data points", null, null],
    ["The limit is -5 data points", null, null],
    ["The limit is 0.5 data points", null, null],
    ["The limit is 99999999999999999999 data points", null, null],
    ["The limit is 1e400 data points", null, null],
    ["The limit is NaN data points", null, null],
    ["", null, null],
    ["Too large.", 86_400, null],
    ["limit ".repeat(20_000), null, null],
    [`${"9".repeat(100_000)} limit ${"<".repeat(10_000)}`, null, null],
  ])("reads %s", (message, requestPoints, limit) => {
    expect(parseLimit(message, requestPoints)).toBe(limit);
  });
});
