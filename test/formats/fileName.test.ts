import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { portableFileName } from "#shared/file/fileName.ts";
import { scratchFolder } from "./tools.ts";

const folder = scratchFolder();

describe("file names", () => {
  it.each([
    ["Helsinki 1", "Helsinki 1"],
    ["Kökar 東京", "Kökar 東京"],
    ["../../etc/passwd", "_.._etc_passwd"],
    ["C:\\Windows\\x", "C__Windows_x"],
    ["CON", "_CON"],
    ["con.nc", "_con.nc"],
    ["COM¹", "_COM¹"],
    ["aux .nc", "_aux .nc"],
    ["Console", "Console"],
    ["name. . .", "name"],
    ["...hidden", "hidden"],
    ["-rf", "rf"],
    ["nul\0byte", "nulbyte"],
    ["evil\u202Ecod.exe", "evilcod.exe"],
    ["zero\u200Bwidth", "zerowidth"],
    ["tab\tline\nbreak", "tablinebreak"],
    ['<a href="x">|?*', "_a href=_x_____"],
    ["", "export"],
    ["...", "export"],
    ["\u202E", "export"],
  ])("%j becomes %j", (hostile, expected) => {
    expect(portableFileName(hostile)).toBe(expected);
  });

  it("of a megabyte are cut at a character boundary", () => {
    const name = portableFileName("😀".repeat(300_000));
    expect(name).toBe("😀".repeat(30));
  });

  it("are valid and listed unchanged by the disk, for any text", () => {
    const created = join(folder, "names");
    mkdirSync(created);
    const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
    const unit = fc.oneof(
      fc.constantFrom(...'./\\:*?"<>| \0\t\u202E-~aC'),
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 300 }), (text) => {
        const name = portableFileName(text);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(121);
        expect(name).not.toMatch(/[<>:"/\\|?*\p{Cc}\p{Cf}]|[. ]$|^[-.]|^$/u);
        expect(name).not.toMatch(reserved);
        expect(portableFileName(name)).toBe(name);
        writeFileSync(join(created, name), "");
        expect(readdirSync(created)).toContain(name);
      }),
      { numRuns: 300 },
    );
  });
});
