import { fork } from "node:child_process";
import { scratchFolder } from "../support/folder.ts";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { LOG_LEVELS } from "#shared/logLine.ts";
import { Events } from "#main/app/events.ts";
import { serveChannel } from "#main/bridge/serve.ts";
import { channelPair } from "#shared/bridge/transport/protocol.ts";
import { hideInLog, log, logLines, readLog, startLog } from "#main/log/index.ts";
import { appendLine, LOG_NAME, ROTATED_LOG_NAME } from "#main/log/file.ts";
import { KeyScrubber } from "#main/log/secrets.ts";
import { type Home, makeHome } from "../cli/program.ts";
import { anyCharacter } from "../support/characters.ts";
import { itUnless, WINDOWS_LACKS } from "../support/needs.ts";
import { gateCases } from "../support/endurance.ts";

let folder = "";
beforeEach(() => (folder = scratchFolder()));
const textOf = (name: string): string => readFileSync(join(folder, name), "utf8");
const bytes = (): number => readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);

describe("the log file", () => {
  it("stays small: it is rotated when full, and the previous one is replaced", () => {
    for (let n = 0; n < 500; n++) {
      appendLine(folder, `line ${n} ${"x".repeat(40)}`, { maxBytes: 2_000 });
      expect(bytes()).toBeLessThan(4_200);
    }
    expect(readdirSync(folder).toSorted()).toEqual([ROTATED_LOG_NAME, LOG_NAME].toSorted());
    const kept = (textOf(ROTATED_LOG_NAME) + textOf(LOG_NAME)).trimEnd().split("\n");
    // No line is missing between the oldest remaining line and the newest.
    expect(kept.map((line) => Number(line.split(" ")[1]))).toEqual(kept.map((_, at) => 500 - kept.length + at));
  });

  it("is followed line by line, also lines of equal text, and across rotations", () => {
    const next = logLines(folder, "debug");
    startLog(folder, "core");
    log.info("the same again");
    const line = textOf(LOG_NAME).trimEnd();
    rmSync(join(folder, LOG_NAME));
    let read = next().length;
    for (let n = 1; n <= 200; n++) {
      appendLine(folder, line, { maxBytes: 2_000 });
      if (n % 7 === 0) read += next().length;
    }
    expect(read + next().length).toBe(200);
    expect(next()).toEqual([]);
  });

  it("is rotated after a process was killed during a rotation", () => {
    writeFileSync(join(folder, "log.lock"), "");
    const line = "x".repeat(100);
    for (let n = 0; n < 30; n++) appendLine(folder, line, { maxBytes: 2_000 });
    expect(readdirSync(folder)).not.toContain(ROTATED_LOG_NAME);
    utimesSync(join(folder, "log.lock"), 1, 1);
    for (let n = 0; n < 2; n++) appendLine(folder, line, { maxBytes: 2_000 });
    expect(readdirSync(folder).toSorted()).toEqual([ROTATED_LOG_NAME, LOG_NAME].toSorted());
    // While it cannot be rotated, it stays below four times its size.
    writeFileSync(join(folder, "log.lock"), "");
    for (let n = 0; n < 90; n++) appendLine(folder, line, { maxBytes: 2_000 });
    expect(statSync(join(folder, LOG_NAME)).size).toBeLessThan(8_200);
  });

  itUnless(WINDOWS_LACKS, "is private to its owner with any umask", () => {
    const before = process.umask();
    try {
      for (const umask of [0o000, 0o022, 0o777]) {
        process.umask(umask);
        rmSync(join(folder, LOG_NAME), { force: true });
        appendLine(folder, "a");
        expect(statSync(join(folder, LOG_NAME)).mode & 0o777).toBe(0o600);
      }
    } finally {
      process.umask(before);
    }
  });

  it("has every line of several processes completely", async () => {
    const run = async (maxBytes: number): Promise<void> => {
      const writers = ["a", "b", "c"].map((name) =>
        fork(join(import.meta.dirname, "writer.ts"), [folder, name, "300", String(maxBytes)], {
          env: { ...process.env, NODE_OPTIONS: "" },
        }),
      );
      const codes = await Promise.all(writers.map(async (writer) => (await once(writer, "exit"))[0]));
      expect(codes).toEqual([0, 0, 0]);
    };
    await run(1_000_000);
    const lines = readLog(folder, "debug");
    expect(lines.every(({ text }) => /^\d+ x* end$/.test(text))).toBe(true);
    expect(new Set(lines.map(({ source, text }) => `${source[0]} ${text}`)).size).toBe(900);
    // All rotate at once: no line is cut, and none is repeated.
    await run(20_000);
    const kept = (textOf(ROTATED_LOG_NAME) + textOf(LOG_NAME)).trimEnd().split("\n");
    expect(readLog(folder, "debug")).toHaveLength(kept.length);
    expect(kept.length).toBe(new Set(kept).size);
    expect(bytes()).toBeLessThan(90_000);
  });
});

describe("a line", () => {
  it("has bounded length for any text, and can be parsed", () => {
    startLog(folder, "core");
    const anything = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.constantFrom("\n\r\u2028", "\ud800", "x".repeat(9_000)),
    );
    fc.assert(
      fc.property(anything, fc.constantFrom(...LOG_LEVELS), (text, level) => {
        rmSync(join(folder, LOG_NAME), { force: true });
        log[level](text);
        expect(textOf(LOG_NAME)).toMatch(/^[^\n\r\u2028\u2029]{1,6200}\n$/u);
        expect(readLog(folder, "debug")).toMatchObject([{ level, source: `core[${process.pid}]` }]);
      }),
    );
  });
});

const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** Whether a key can be read in a text, also in decoded parts. */
function isDisclosed(text: string, k: string): boolean {
  const decoded = [...text.matchAll(/[\w+/=-]{8,}/g)].flatMap(([run]) =>
    [0, 1, 2, 3].map((from) => Buffer.from(run.slice(from), "base64").toString("latin1")),
  );
  const unescaped = text
    .replaceAll(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(/\\+u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll(/\\+(["\\])/g, "$1");
  const plain = unescaped.replaceAll(/[\s\u200b]/g, "");
  const hexadecimal = [...text.matchAll(/[\da-f]{16,}/gi)].map(([run]) => Buffer.from(run, "hex").toString("latin1"));
  const isIn = (part: string): boolean => part.toLowerCase().includes(k.toLowerCase());
  return [...decoded, ...hexadecimal].some((part) => part.includes(k)) || [text, unescaped, plain].some(isIn);
}

describe("an API key", () => {
  const key = fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    minLength: 8,
    maxLength: 60,
  });
  /** Texts with a key as libraries and servers write them. */
  const TEXTS: readonly ((key: string, other: string) => string)[] = [
    (k, o) => `${o}${k}${o}`,
    (k) => `GET /a?key=${encodeURIComponent(k)}&b=1`,
    (k) => `GET /a?${new URLSearchParams({ key: k }).toString()}`,
    (k) => JSON.stringify({ headers: { "x-api-key": k } }),
    (k) => JSON.stringify({ body: JSON.stringify({ k }) }),
    (k) => `Authorization: Basic ${base64(k)}`,
    (k, o) => `Proxy-Authorization: Basic ${base64(`${o}:${k}`)}`,
    (k) => `Bearer ${Buffer.from(k).toString("base64url")}`,
    (k) => Buffer.from(k).toString("hex"),
    (k) => `content-encoding ${k.toLowerCase()} is unknown`,
    (k) => k.toUpperCase(),
    (k) => [...Buffer.from(k)].map((byte) => `%${byte.toString(16)}`).join(""),
    (k) => [...k].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
    (k) => [...k].map((c) => `&#${c.charCodeAt(0)};`).join(""),
    (k) => [...k].join(" "),
    (k) => [...k].join("\u200b"),
  ];

  it("is removed from every line in any encoding", () => {
    fc.assert(
      fc.property(key, fc.constantFrom(...TEXTS), fc.constantFrom("", "u", "us", "user"), (k, textWith, other) => {
        fc.pre(isDisclosed(textWith(k, other), k));
        const { hide, scrub } = new KeyScrubber();
        hide(k);
        expect(isDisclosed(scrub(textWith(k, other)), k)).toBe(false);
      }),
      { numRuns: gateCases(400) },
    );
  });

  it("is removed from headers, even if this process has not registered it", () => {
    const { scrub } = new KeyScrubber();
    for (const text of [
      "X-API-Key: s3cret-value",
      `{"x-api-key":"s3cret-value"}`,
      "authorization: Bearer s3cret-value",
    ])
      expect(scrub(text)).not.toContain("s3cret");
  });

  it("is removed from causes", () => {
    startLog(folder, "test");
    hideInLog("s3cret-of-log");
    log.error("no answer", new Error("refused", { cause: new Error("header s3cret-of-log") }));
    const [line] = readLog(folder, "error");
    expect(line?.text).toMatch(/^no answer · Error: refused[^]*caused by Error: header \[key\]/);
  });
});

function untilCancelled(_: unknown, { signal }: { signal: AbortSignal }): Promise<never> {
  return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
}

function fails(): never {
  throw new Error("odd");
}

describe("calls of a window", () => {
  it("log their faults with the cause, but not cancelled calls or unknown functions", async () => {
    startLog(folder, "core");
    const { window, core } = channelPair();
    serveChannel({ settings: { read: untilCancelled, write: fails } } as never, new Events(), core, null);
    const responded = new Promise((resolve) => window.onMessage(resolve));
    window.send({ id: 1, call: "settings.read", input: {} });
    window.send({ id: 1, cancel: true });
    window.send({ id: 2, call: "nothing.of.the.kind", input: {} });
    await responded;
    const failed = new Promise((resolve) => window.onMessage(resolve));
    window.send({ id: 3, call: "settings.write", input: {} });
    await failed;
    expect(readLog(folder, "debug").map(({ text }) => text)).toEqual([
      expect.stringMatching(/^settings\.write: The application failed \(odd\).* · Error: odd.* at fails /),
    ]);
  });
});

describe("zenith log", () => {
  let home: Home;
  const env = { ZENITH_API_KEY: "s3cret-of-a-command" };
  beforeEach(() => (home = makeHome()));

  it("shows starts and failures with their causes, follows new ones, and contains no key", async () => {
    expect((await home.run(["log"])).stdout).toBe("The log is empty.\n");
    const connecting = await home.run(["connect", "http://127.0.0.1:9", "--wait-for-service", "0"], { env });
    expect(connecting.code).toBe(5);
    const all = (await home.run(["log"])).stdout;
    expect(all).toMatch(/ info {2}command\[\d+\] Zenith Desk [\d.]+ opens /);
    const errors = await home.json<{ lines: { text: string }[] }>(["log", "--level", "error"]);
    expect(errors.lines.at(-1)?.text).toMatch(/the connection was refused.*\(exit code 5\)/);
    expect(all).not.toContain("s3cret");
    let isDone = false;
    const following = await home.run(["log", "--follow", "--level", "error"], {
      onStart: (child) => {
        child.stdout?.on("data", () => {
          if (isDone) return void child.kill("SIGINT");
          isDone = true;
          void home.run(["connect", "http://127.0.0.1:9", "--wait-for-service", "0"], { env });
        });
      },
    });
    expect(following.stdout.match(/\(exit code 5\)/g)).toHaveLength(2);
  });
});
