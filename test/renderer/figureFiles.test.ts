import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { crc32 as zlibCrc32, deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { figureFile } from "#formats/figure/index.ts";
import { lengthIn, toMm, toPoints } from "#shared/file/figure.ts";
import { crc32, withDpi } from "#renderer/plot/figure/png.ts";
import type { FileShape, Scene } from "#shared/plot/figure/scene.ts";
import { itUnless, programMissing } from "../support/needs.ts";
import { scratchFolder } from "../support/folder.ts";

const folder = scratchFolder();

function run(command: string, ...rest: string[]): string {
  return execFileSync(command, rest, { stdio: "pipe" }).toString();
}

function sceneOf(shapes: readonly FileShape[]): Scene<FileShape> {
  return {
    width: 200,
    height: 100,
    background: "#ffffff",
    fontFamily: "sans-serif",
    title: "Tromsø (ZTD)",
    shapes,
  };
}

function words(text: string, x: number, anchor: "start" | "end" = "start"): FileShape {
  return { kind: "text", x, y: 50, text, size: 12, weight: 400, anchor, colour: "#000000" };
}

describe("lengths in figures", () => {
  test("convert between units and back", () => {
    expect(lengthIn("in", 25.4, 300)).toBeCloseTo(1);
    expect(lengthIn("px", 25.4, 300)).toBeCloseTo(300);
    expect(toPoints(25.4)).toBeCloseTo(72);
    for (const unit of ["mm", "cm", "in", "px"] as const)
      expect(toMm(unit, lengthIn(unit, 83, 600), 600)).toBeCloseTo(83);
  });
});

describe("PNG", () => {
  test("uses the CRC-32 of zlib", () => {
    const bytes = new TextEncoder().encode("pHYs and IDAT");
    expect(crc32(bytes)).toBe(zlibCrc32(bytes));
  });

  itUnless(programMissing("identify"), "has a resolution that other programs read [ImageMagick]", () => {
    const file = path.join(folder, "a.png");
    writeFileSync(file, withDpi(onePixel(), 600));
    const [width, x, unit] = execFileSync("identify", ["-units", "PixelsPerInch", "-format", "%w %x %U", file])
      .toString()
      .split(" ");
    expect([width, Math.round(Number(x)), unit]).toEqual(["1", 600, "PixelsPerInch"]);
  });
});

function chunk(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(zlibCrc32(body));
  return Buffer.concat([length, body, sum]);
}

/** The smallest PNG: a grey pixel. */
function onePixel(): Uint8Array {
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk("IHDR", Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0])),
    chunk("IDAT", deflateSync(Buffer.from([0, 128]))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

describe("PDF", () => {
  itUnless(programMissing("pdftotext"), "has the requested page size, text and areas [poppler]", async () => {
    const area: FileShape = { kind: "area", points: [0, 0, 20, 0, 20, 20, 0, 20], colour: "#ff0000", opacity: 1 };
    const hatch: FileShape = {
      kind: "hatch",
      x: 100,
      y: 60,
      width: 80,
      height: 30,
      cause: "notRequested",
      colour: "#626e7c",
      opacity: 0.5,
    };
    const bitmap: FileShape = { kind: "bitmap", x: 30, y: 80, width: 10, height: 10, png: onePixel() };
    const shapes = [area, hatch, bitmap, words("Tromsø (±1σ)", 10), words("2380", 190, "end")];
    const pdf = await figureFile(sceneOf(shapes), "pdf", { widthMm: 83, createdMs: 0, program: "Zenith Desk 0.1.0" });
    const file = path.join(folder, "a.pdf");
    writeFileSync(file, pdf);
    expect(run("pdftotext", "-layout", file, "-")).toMatch(/Tromsø \(±1σ\) +2380/);
    // Every font is embedded, as journals require.
    const fonts = run("pdffonts", file).trim().split("\n").slice(2);
    expect(fonts.length).toBeGreaterThan(0);
    expect(fonts.filter((line) => !/ yes (yes|no) (yes|no) +\d+ +\d+$/.test(line))).toEqual([]);
    const about = run("pdfinfo", file);
    expect(about).toMatch(/Title: +Tromsø \(ZTD\)/);
    const [, width, height] = /Page size: +([\d.]+) x ([\d.]+) pts/.exec(about)!.map(Number);
    expect([width, height]).toEqual([expect.closeTo(235.28, 1), expect.closeTo(117.64, 1)]);
    // The red corner is at the top, where it was drawn.
    run("pdftoppm", "-r", "72", "-singlefile", file, path.join(folder, "a"));
    const ppm = readFileSync(path.join(folder, "a.ppm"));
    const [, head] = /^(P6\s+\d+\s+\d+\s+255\s)/.exec(ppm.toString("latin1"))!;
    const wide = Number(head!.split(/\s+/)[1]);
    const pixel = (x: number, y: number): number[] => [
      ...ppm.subarray(head!.length + 3 * (y * wide + x)).subarray(0, 3),
    ];
    expect([pixel(5, 5), pixel(5, 110)]).toEqual([
      [255, 0, 0],
      [255, 255, 255],
    ]);
    // The grey image.
    expect(pixel(41, 100).every((part) => Math.abs(part - 128) < 4)).toBe(true);
  });
});
