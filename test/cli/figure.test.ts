import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { itUnless, programMissing } from "../support/needs.ts";
import { openTrial } from "./trial.ts";

/** With an hour in the middle that is not downloaded. */
const RANGE = ["--from", "2026-10-05T23:00:00Z", "--to", "2026-10-06T02:00:00Z"];
const START_MS = Date.UTC(2026, 9, 5, 23);
const LENGTH_MS = 3 * 3_600_000;
const GAP = [Date.UTC(2026, 9, 6), Date.UTC(2026, 9, 6, 1)] as const;

const { service, home } = await openTrial(["stations"]);

const read = (name: string): string => readFileSync(join(home.folder, name), "utf8");

for (const [from, to] of [
  ["2026-10-05T23:00:00Z", "2026-10-06T00:00:00Z"],
  ["2026-10-06T01:00:00Z", "2026-10-06T02:00:00Z"],
] as const)
  await home.json(["fetch", "Torsvika", "--from", from, "--to", to]);
service.resetStats();

describe("zenith figure", () => {
  it("draws every row at its time and value, interrupts the line at a gap, names its cause, and sends no request", async () => {
    const report = await home.json(["figure", "Torsvika", ...RANGE, "--vars", "ztd,ztd_sigma", "--out", "week.svg"], 3);
    expect(report).toMatchObject({ width_mm: 177, station_ids_without_data: [], not_drawn: 0 });
    await home.json(["export", "Torsvika", ...RANGE, "--vars", "ztd", "--out", "rows.csv", "--allow-incomplete"]);
    const svg = read("week.svg");
    expect(svg).toContain(`<svg xmlns="http://www.w3.org/2000/svg" width="177mm"`);
    for (const words of ["ZTD (mm)", "Torsvika", "±1σ (formal)", "not downloaded", "2026-10-06"])
      expect(svg).toContain(`>${words}<`);
    expect(svg).toContain(`>Data from ${new URL(service.url).origin}, as cached at `);
    expect(svg).toContain(`fill="url(#gap-notRequested)"`);
    const shapes = svg.slice(svg.indexOf("</style>"));
    expect(shapes).not.toMatch(/NaN|undefined|<image/);

    const points = pointsOf(shapes);
    const rows = rowsOf(read("rows.csv"));
    expect(rows.length).toBeGreaterThan(200);
    for (const { timeMs, value } of rows) {
      const nearest = points.reduce((a, b) => (Math.abs(b.timeMs - timeMs) < Math.abs(a.timeMs - timeMs) ? b : a));
      expect(Math.abs(nearest.timeMs - timeMs)).toBeLessThan(2_000);
      expect(Math.abs(nearest.value - value)).toBeLessThan(0.05);
    }
    expect(points).toHaveLength(rows.length);
    const after = points.find(({ timeMs }) => timeMs >= GAP[1] - 2_000);
    expect(after?.isStart).toBe(true);
    expect(points.filter(({ timeMs }) => timeMs > GAP[0] && timeMs < GAP[1] - 2_000)).toEqual([]);
    expect(service.stats.requests).toBe(0);
  });

  itUnless(
    programMissing("pdftotext"),
    "writes a PDF in the width of a column with embedded fonts, and names stations without data [poppler]",
    async () => {
      const words = ["--vars", "ztd,ztd_sigma", "--width", "agu-1", "--title", "Ζενίθ Torsvika"];
      const ended = await home.run([
        "figure",
        "Torsvika",
        "高見原",
        ...RANGE,
        ...words,
        "--out",
        "week.pdf",
        "--force",
        "--allow-incomplete",
      ]);
      expect(ended).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/, 95 × [\d.]+ mm\nStations without data: “高見原”/),
      });
      expect(ended.stderr).toMatch(/fetch Torsvika \S*高見原\S* --vars ztd,ztd_sigma /);
      const path = join(home.folder, "week.pdf");
      const text = execFileSync("pdftotext", ["-layout", path, "-"], { encoding: "utf8" });
      for (const phrase of ["Ζενίθ Torsvika", "ZTD (mm)", "±1σ (formal)", "Without data in this range: "])
        expect(text).toContain(phrase);
      expect(ended.stdout).toContain("Boxes stand for letters that the font of the PDF lacks: 高見原. An SVG has");
      // 95 mm
      expect(execFileSync("pdfinfo", [path], { encoding: "utf8" })).toMatch(/^Page size: +269\.\d+ x /m);
      const fonts = execFileSync("pdffonts", [path], { encoding: "utf8" }).trim().split("\n").slice(2);
      expect(fonts.length).toBeGreaterThanOrEqual(3);
      for (const font of fonts) expect(font).toMatch(/Inter.* yes yes yes /);
    },
  );

  it("applies the options of size, font, theme, legend, title and source", async () => {
    const look = ["--width", "500px", "--height", "400px", "--font-size", "6", "--theme", "dark", "--legend", "none"];
    const words = ["--no-title", "--no-source"];
    const report = await home.json(
      ["figure", "Torsvika", ...RANGE, ...look, ...words, "--out", "plain.svg", "--force"],
      3,
    );
    expect(report["width_mm"]).toBeCloseTo((500 / 96) * 25.4);
    expect(report["height_mm"]).toBeCloseTo((400 / 96) * 25.4);
    const svg = read("plain.svg");
    expect(svg).toContain(`<rect width="100%" height="100%" fill="#151b22"/>`);
    expect(svg).not.toMatch(/>Torsvika<|>Zenith total delay<|>Data from /);
  });

  it.each([
    [["--out", "a.png"], "PNG figures are saved in the window"],
    [["--out", "a.svg", "--vars", "snr"], "snr has a value for each satellite"],
    [["--out", "a.svg", "--width", "5000mm"], "between 20 and 1000 mm"],
    [["--out", "a.svg", "--width", "wide"], "Column widths: copernicus-1"],
    [["--out", "a.svg", "--resample"], "--resample needs --interval"],
  ])("rejects %j with exit code 2", async (words, message) => {
    const ended = await home.run(["figure", "Torsvika", ...RANGE, ...words]);
    expect(ended).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(message) });
  });
});

interface Point {
  readonly timeMs: number;
  readonly value: number;
  /** Whether the line starts here. */
  readonly isStart: boolean;
}

/** Points of the line in the first panel, converted by the labels of its axes. */
function pointsOf(svg: string): Point[] {
  const [left = 0, , width = 1] = numbersIn(/<clipPath id="clip-1"><rect ([^/]*)\//.exec(svg)?.[1]);
  const ticks = [...svg.matchAll(/<text x="[\d.]+" y="([\d.]+)"[^>]*text-anchor="end"[^>]*>(\d,\d{3})<\/text>/g)].map(
    ([, baseline, number = ""]) => ({ y: Number(baseline) - 4, value: Number(number.replace(",", "")) }),
  );
  const [low, high] = [ticks[0]!, ticks.at(-1)!];
  const line = svg.slice(svg.indexOf("clip-path="));
  const path = /<path d="([^"]+)" fill="none"[^>]*stroke-width="1.1"[^>]*>/.exec(line)?.[1] ?? "";
  let [x, y] = [0, 0];
  return [...path.matchAll(/([Ml])(-?[\d.]+) (-?[\d.]+)/g)].map(([, step, dx, dy]) => {
    [x, y] = step === "M" ? [Number(dx), Number(dy)] : [x + Number(dx), y + Number(dy)];
    return {
      timeMs: START_MS + ((x - left) / width) * LENGTH_MS,
      value: low.value + ((y - low.y) / (high.y - low.y)) * (high.value - low.value),
      isStart: step === "M",
    };
  });
}

function numbersIn(text = ""): number[] {
  return (text.match(/-?[\d.]+/g) ?? []).map(Number);
}

function rowsOf(csv: string): { readonly timeMs: number; readonly value: number }[] {
  const [head = "", ...rows] = csv.replaceAll("\r", "").trim().split("\n");
  const [time, value] = [/time/, /^ztd/].map((name) => head.split(",").findIndex((column) => name.test(column)));
  return rows.map((row) => {
    const cells = row.split(",");
    return { timeMs: Date.parse(cells[time ?? 0] ?? ""), value: Number(cells[value ?? 0]) };
  });
}
