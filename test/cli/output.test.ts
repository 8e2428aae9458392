import { describe, expect, it } from "vitest";
import { csvField } from "#shared/file/csv.ts";
import { asStop, EXIT } from "#main/cli/exit.ts";
import { Output } from "#main/cli/terminal/output.ts";

/** Control characters except line feeds, line separators, and characters that change the direction of text. */
const CONTROL = /[^\P{Cc}\n]|[\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/u;

async function streamed(text: string, isTTY: boolean): Promise<string> {
  let written = "";
  const stream = { isTTY, write: (piece: string) => ((written += piece), true) } as unknown as NodeJS.WriteStream;
  await new Output({ json: false, quiet: false }, stream, stream).stream(text);
  return written;
}

describe("streamed output", () => {
  it("contains no control characters on a terminal, for any station name", async () => {
    const characters = [0, 0xfe00, 0xe_0000].flatMap((first) =>
      Array.from({ length: first === 0 ? 0x3000 : 0x200 }, (_, i) => String.fromCodePoint(first + i)),
    );
    const written = await streamed(characters.map((name) => `a,${csvField(name)}\n`).join(""), true);
    expect(written).not.toMatch(CONTROL);
    expect(await streamed("a,\u001b[2J\u202egnp\n", true)).toBe("a,‹U+001B›[2J‹U+202E›gnp\n");
  });

  it("is unchanged in a pipe", async () => {
    const text = `a,${csvField("\u001b[2J\r\n\u202e")}\n`;
    expect(await streamed(text, false)).toBe(text);
  });
});

describe("an unexpected system error", () => {
  it("is reported without its code", () => {
    const thrown = Object.assign(new Error("EIO: i/o error, read"), { code: "EIO" });
    expect(asStop(thrown)).toMatchObject({
      exitCode: EXIT.disk,
      message: "The disk reported an error: a file of the data folder. Try again, or choose another folder.",
    });
    expect(asStop(Object.assign(thrown, { path: "/data/a.key" })).message).toBe(
      "The disk reported an error: /data/a.key. Try again, or choose another folder.",
    );
  });
});

const printed = async (options: { json: boolean; csv?: boolean }): Promise<string> => {
  let written = "";
  const stream = { write: (piece: string) => ((written += piece), true) } as unknown as NodeJS.WriteStream;
  const output = new Output({ quiet: true, ...options }, stream, stream);
  output.print("printed");
  output.table(["cell"], { Column: (text) => text });
  output.note("noted");
  output.warn("warned");
  output.event("event", { value: 1 });
  output.text("a text");
  output.document("version", { value: 1 });
  await output.stream("streamed\n");
  output.shortfall("short");
  output.error("failed");
  return written;
};

it("with --quiet, only errors, shortfalls and data for programs are printed", async () => {
  expect(await printed({ json: false })).toBe("a text\nstreamed\nshort\nfailed\n");
  expect(await printed({ json: false, csv: true })).toBe("column\ncell\na text\nstreamed\nshort\nfailed\n");
  expect((await printed({ json: true })).match(/"?(document|streamed|short|failed|noted|warned|printed)\b/g)).toEqual([
    '"document',
    "streamed",
    '"short',
    '"failed',
  ]);
});
