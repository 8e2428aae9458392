import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { tries } from "../support/endurance.ts";
import { runPython } from "../formats/tools.ts";
import { decodeGif, saveAnimationAs } from "../e2e/harness/animation.ts";
import { saveFigureAs } from "../e2e/harness/figure.ts";
import { shoot } from "../e2e/harness/shoot.ts";
import { restoreSize } from "../e2e/harness/size.ts";
import { moveFingers } from "../e2e/harness/touch.ts";
import { forEachShell } from "../e2e/harness/forEachShell.ts";
import { exploreDemo, stations } from "../e2e/harness/steps.ts";

const WAIT = { timeout: 30_000, interval: 100 };

function map(page: Page): Locator {
  return page.getByRole("application", { name: "Map of stations" });
}

function snapshot(page: Page): Locator {
  return page.getByRole("region", { name: "Snapshot" });
}

/** The number of selected stations, as shown in the station list. */
async function selectedCount(page: Page): Promise<number> {
  const words = await page
    .getByText(/\d+ selected/)
    .first()
    .innerText();
  return Number(/([\d,]+) selected/.exec(words)?.[1]?.replaceAll(",", ""));
}

/** Limits the list of stations to some of the map. */
async function listOnly(page: Page, part: string): Promise<void> {
  await page.getByRole("button", { name: /^Filter stations/ }).click();
  await page
    .getByRole("dialog", { name: "Filter stations" })
    .getByRole("button", { name: /On the map/ })
    .click();
  await page.getByRole("option", { name: new RegExp(`^${part}`) }).click();
  await page.keyboard.press("Escape");
}

/** The number of listed stations. */
async function listedCount(page: Page): Promise<number> {
  return Number((await page.getByRole("heading", { name: /^Stations [\d,]+$/ }).innerText()).replaceAll(/\D/g, ""));
}

/** The drawn map. */
async function picture(page: Page): Promise<string> {
  const canvas = map(page).locator("canvas").first();
  return canvas.evaluate((element) => (element as HTMLCanvasElement).toDataURL());
}

/** What the list says of a station on the map. */
function cells(page: Page): Locator {
  return stations(page).locator("[data-row] [data-column=onMap]");
}

/** Opens what is known of stations without a value. */
async function openWithoutValue(page: Page): Promise<Locator> {
  await snapshot(page)
    .getByRole("button", { name: /without a value$/ })
    .click();
  return page.getByRole("dialog", { name: /without a value$/ });
}

/** From one end of the automatic scale to the other, in its unit. */
async function scaleSpan(page: Page): Promise<number> {
  const text = await page.getByRole("region", { name: "Legend" }).innerText();
  const [low = NaN, high = NaN] = [...text.matchAll(/[≤≥] ([\d,]+)/g)].map(([, digits = ""]) =>
    Number(digits.replaceAll(",", "")),
  );
  return high - low;
}

/** The number of stations with a value at the time of the slider, from "ZTD of 3 of 67 stations · …". */
async function withValue(page: Page): Promise<number> {
  const words = await snapshot(page).and(page.locator("[aria-busy=false]")).innerText();
  return Number(/of ([\d,]+) of [\d,]+ stations/.exec(words)?.[1] ?? 0);
}

/** The number of clearly different bytes of two frames. */
function differing(a: Uint8Array, b: Uint8Array): number {
  return a.reduce((n, value, k) => n + Number(Math.abs(value - (b[k] ?? 0)) > 64), 0);
}

async function pick(page: Page, menu: string | RegExp, option: string): Promise<void> {
  await page.getByRole("button", { name: menu }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
}

forEachShell("the map", { shells: tries(1, Infinity) }, (page, shell) => {
  it("shows all stations of the demo", async () => {
    await exploreDemo(page);
    await page.keyboard.press("2");
    await map(page).waitFor();
    await listOnly(page, "Visible");
    await expect.poll(() => listedCount(page), WAIT).toBeGreaterThan(59);
    await expect.poll(() => selectedCount(page), WAIT).toBe(3);
  });

  it("has its legend below a small map, where it would cover stations", async () => {
    const before = page.viewportSize();
    await page.setViewportSize({ width: 1024, height: 700 });
    const legend = page.getByRole("region", { name: "Legend" });
    const overlapPx = async (): Promise<number> => {
      const [over, under] = await Promise.all([legend.boundingBox(), map(page).boundingBox()]);
      return under!.y + under!.height - over!.y;
    };
    await expect.poll(overlapPx, WAIT).toBeLessThan(1);
    await restoreSize(page, before);
  });

  it("keeps the colours of its legend in contrast themes", async () => {
    await page.emulateMedia({ forcedColors: "active" });
    const swatches = page.getByRole("region", { name: "Legend" }).locator("li > i");
    const colours = await swatches.evaluateAll((all) => all.map((i) => getComputedStyle(i).backgroundColor));
    await page.emulateMedia({ forcedColors: "none" });
    expect(colours.length).toBeGreaterThan(3);
    expect(new Set(colours).size).toBe(colours.length);
  });

  it("is zoomed and moved with two fingers", async () => {
    // The list is limited to the visible stations.
    const visible = (): Promise<number> => listedCount(page);
    await map(page).focus();
    await page.keyboard.press("0");
    await expect.poll(visible, WAIT).toBeGreaterThan(60);
    const all = await picture(page);
    const box = (await map(page).boundingBox())!;
    const at = (share: number): readonly [number, number] => [box.x + box.width * share, box.y + box.height / 2];
    await moveFingers(page, [at(0.4), at(0.5)], [at(0.6), at(0.7)]);
    await expect.poll(() => picture(page), WAIT).not.toBe(all);
    await moveFingers(page, [at(0.45), at(0.55)], [at(0.3), at(0.7)]);
    await expect.poll(visible, WAIT).toBeLessThan(60);
    await page.keyboard.press("0");
    await expect.poll(visible, WAIT).toBeGreaterThan(60);
  });

  it("selects the station nearest to the centre with Enter, and all stations in a drawn box", async () => {
    await map(page).focus();
    await page.keyboard.press("+");
    await page.getByText(/^Nearest to the centre: /).waitFor();
    await page.keyboard.press("Enter");
    await expect.poll(() => selectedCount(page), WAIT).toBe(1);
    // The menu of the station by keyboard, and the menu of the map by mouse.
    const [, centre = ""] = /: (.*?) ·/.exec(await page.getByText(/^Nearest to the centre: /).innerText()) ?? [];
    await page.keyboard.press("Shift+F10");
    await page.getByRole("menu", { name: centre }).getByRole("menuitem", { name: "Deselect" }).waitFor();
    await page.keyboard.press("Escape");
    const box = (await map(page).boundingBox())!;
    // The sea west of the Americas, above the legend.
    await page.mouse.click(box.x + 24, box.y + box.height / 2, { button: "right" });
    await page.getByRole("menu", { name: "Map" }).getByRole("menuitem", { name: "Show all stations" }).click();
    await expect.poll(() => listedCount(page), WAIT).toBeGreaterThan(59);
    const drawBox = async (): Promise<void> => {
      // Dragging at the very edge would resize the panes.
      await page.mouse.move(box.x + 24, box.y + 24);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 3 });
      await page.mouse.move(box.x + box.width - 24, box.y + box.height - 24, { steps: 3 });
    };
    await page.keyboard.down("Shift");
    await drawBox();
    await page.keyboard.press("Escape");
    await page.mouse.up();
    expect(await selectedCount(page)).toBe(1);
    await drawBox();
    await page.mouse.up();
    await page.keyboard.up("Shift");
    await expect.poll(() => selectedCount(page), WAIT).toBeGreaterThan(60);
  });

  it("marks the station that the list points at", async () => {
    await listOnly(page, "All stations");
    await map(page).focus();
    await page.keyboard.press("0");
    await page.mouse.move(0, 0);
    const before = await picture(page);
    await stations(page).getByRole("row").filter({ hasText: "Blitzstein" }).hover();
    await expect.poll(() => picture(page), WAIT).not.toBe(before);
    await page.mouse.move(0, 0);
    await expect.poll(() => picture(page), WAIT).toBe(before);
  });

  it("requests values that are not cached for the shown time, without saving them", async () => {
    await pick(page, /Colour by/, "ZTD");
    const slider = page.getByRole("slider", { name: "Moment" });
    await slider.focus();
    await page.keyboard.press("Home");
    await expect.poll(() => withValue(page), WAIT).toBeGreaterThan(0);
    const before = await withValue(page);
    const spanBefore = await scaleSpan(page);
    const ask = (await openWithoutValue(page)).getByRole("button", { name: /^Request \d+ stations · 2 requests$/ });
    const words = await ask.innerText();
    const requestedCount = Number(/Request (\d+) stations/.exec(words)?.[1]);
    await ask.click();
    await page.keyboard.press("Escape");
    await expect.poll(() => withValue(page), WAIT).toBeGreaterThan(before + 30);
    const receivedCount = Number(/([\d,]+) from the service, not saved/.exec(await snapshot(page).innerText())?.[1]);
    await expect.poll(() => withValue(page), WAIT).toBe(before + receivedCount);
    expect(receivedCount).toBeLessThanOrEqual(requestedCount);
    // Stations all over the world, after three in the north.
    await expect.poll(() => scaleSpan(page), WAIT).toBeGreaterThan(2 * spanBefore);
    // A response that agrees with its query has no remarks.
    expect(await snapshot(page).innerText()).not.toContain("response");
    await page.getByRole("region", { name: "Legend" }).getByText("service, not saved").waitFor();
    // These values belong to one time; the cache has not changed.
    await slider.focus();
    await page.keyboard.press("PageUp");
    await expect.poll(() => snapshot(page).innerText(), WAIT).not.toContain("from the service, not saved");
    await page.keyboard.press("Home");
    await expect.poll(() => snapshot(page).innerText(), WAIT).toContain(`${receivedCount} from the service, not saved`);
  });

  it("shows why stations have no value, and downloads missing data around the shown time", async () => {
    // Another time than that of the values received in the previous test.
    await page.getByRole("slider", { name: "Moment" }).focus();
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => withValue(page), WAIT).toBeLessThan(30);
    const before = await withValue(page);
    const details = await openWithoutValue(page);
    await details.getByText(/not downloaded \d/).waitFor();
    await details.getByRole("button", { name: "List these stations" }).click();
    // One reason beside each name, and none of the stations with a value.
    await expect.poll(() => listedCount(page), WAIT).toBe(67 - before);
    await cells(page).getByText("not downloaded").first().waitFor();
    expect((await cells(page).allInnerTexts()).filter((text) => /\d/.test(text))).toEqual([]);
    await (await openWithoutValue(page)).getByRole("button", { name: /^Fetch [\d,]+ points · ~\d+ requests?/ }).click();
    await page.keyboard.press("Escape");
    await expect.poll(() => withValue(page), WAIT).toBeGreaterThan(before + 30);
    await expect.poll(() => cells(page).getByText("not downloaded").count(), WAIT).toBe(0);
    await listOnly(page, "All stations");
    await expect
      .poll(async () => (await cells(page).allInnerTexts()).some((text) => /^[\d,]+\.\d/.test(text)), WAIT)
      .toBe(true);
  });

  it("plays the time range, and pauses with the space bar", async () => {
    const slider = page.getByRole("slider", { name: "Moment" });
    await slider.focus();
    const startMs = Number(await slider.inputValue());
    await page.keyboard.press("Space");
    await expect.poll(async () => Number(await slider.inputValue()), WAIT).toBeGreaterThan(startMs);
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Play" }).waitFor();
    await page.keyboard.press("Home");
    await expect.poll(async () => (await slider.inputValue()) === (await slider.getAttribute("min")), WAIT).toBe(true);
  });

  it("keeps its colour scale over time, and applies bounds and colours of the user", async () => {
    const { kind } = shell;
    if (kind !== "web") return;
    const legend = page.getByRole("region", { name: "Legend" });
    const ends = (): Promise<string[]> => legend.getByText(/^[≤≥] /).allInnerTexts();
    await expect.poll(async () => (await ends()).length, WAIT).toBe(2);
    await page.getByRole("button", { name: "Scale", exact: true }).click();
    const form = page.getByRole("dialog", { name: "Colour scale" });
    // The legend shows the automatic bounds, which are known when the values of the range are read.
    const lowest = form.getByLabel("Lowest value, mm");
    await expect.poll(() => lowest.getAttribute("placeholder"), WAIT).toMatch(/^\d+$/);
    const automatic = await ends();
    expect(automatic[0]!.replace(",", "")).toBe(`≤ ${await lowest.getAttribute("placeholder")}`);
    await lowest.fill("2100");
    await form.getByLabel("Highest value, mm").fill("2450");
    await page.keyboard.press("Enter");
    await expect.poll(ends, WAIT).toEqual(["≤ 2,100", "≥ 2,450"]);
    const colours = (): Promise<string | null> => legend.locator("div[aria-hidden]").getAttribute("style");
    const before = await colours();
    // One problem at a time: text that is no number is not also too small.
    const highest = form.getByLabel("Highest value, mm");
    const order = form.getByText("The highest value must be greater than the lowest value.");
    await highest.fill("2000");
    await page.keyboard.press("Enter");
    await order.waitFor();
    await highest.fill("none");
    await page.keyboard.press("Enter");
    await form.getByText("This is not a number.").waitFor();
    await order.waitFor({ state: "detached" });
    await highest.fill("2450");
    await page.keyboard.press("Enter");
    await expect.poll(ends, WAIT).toEqual(["≤ 2,100", "≥ 2,450"]);
    await form.getByText("Reversed").click();
    await expect.poll(colours, WAIT).not.toBe(before);
    await shoot(page, "map-scale");
    await highest.fill("none");
    await page.keyboard.press("Enter");
    await form.getByText("This is not a number.").waitFor();
    await form.getByRole("button", { name: "Automatic" }).click();
    await expect.poll(ends, WAIT).toEqual(automatic);
    expect(await highest.inputValue()).toBe("");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Labels", exact: true }).click();
    const slider = page.getByRole("slider", { name: "Moment" });
    const startMs = await slider.inputValue();
    await slider.focus();
    await page.keyboard.press("End");
    await expect.poll(() => slider.inputValue(), WAIT).not.toBe(startMs);
    await page.locator("[aria-busy=false]").first().waitFor();
    expect(await ends()).toEqual(automatic);
    await pick(page, /Colour by/, "ZTD anomaly (height-reduced)");
    await legend.getByText(/least-squares line of ZTD/).waitFor();
    await shoot(page, "map-anomaly");
    await pick(page, /Colour by/, "ZTD");
    await page.getByRole("button", { name: "Labels", exact: true }).click();
    await slider.focus();
    await page.keyboard.press("Home");
  });

  it("fits the colour scale to all stations in live mode, and to the time range again without it", async () => {
    const { kind } = shell;
    if (kind !== "web") return;
    const ends = async (): Promise<number[]> => {
      const words = await page
        .getByRole("region", { name: "Legend" })
        .getByText(/^[≤≥] /)
        .allInnerTexts();
      return words.map((text) => Number(text.slice(2).replaceAll(",", "")));
    };
    await page.getByRole("button", { name: "PWV", exact: true }).click();
    // The ends that are known when the values of the range are read.
    await page.getByRole("button", { name: "Scale", exact: true }).click();
    const lowest = page.getByRole("dialog", { name: "Colour scale" }).getByLabel("Lowest value, mm");
    await expect.poll(() => lowest.getAttribute("placeholder"), WAIT).toMatch(/^\d+$/);
    const cached = await ends();
    await page.keyboard.press("Escape");
    await page.getByRole("radio", { name: /^Live/ }).click();
    await snapshot(page)
      .getByText(/^PWV of 6\d of 67 stations/)
      .waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const { path } = await shell.saved(() => page.getByRole("menuitem", { name: /CSV/ }).click());
    const [heading = "", ...lines] = (await readFile(path, "utf8")).trimEnd().split("\r\n");
    // Counted from the end, because names may contain commas.
    const column = heading.split(",").indexOf("pwv_mm") - heading.split(",").length;
    const values = lines.map((line) => line.split(",").at(column) ?? "").filter((field) => field !== "");
    const outside = async (): Promise<number> => {
      const [low = Number.NaN, high = Number.NaN] = await ends();
      return values.filter((mm) => Number(mm) < low || Number(mm) > high).length;
    };
    await expect.poll(outside, WAIT).toBeLessThanOrEqual(0.04 * values.length);
    await page.getByRole("radio", { name: "Cached" }).click();
    await expect.poll(ends, WAIT).toEqual(cached);
    await page.getByRole("button", { name: "ZTD", exact: true }).click();
  });

  it("saves the snapshot as CSV with a line for each station, and the map as a picture", async () => {
    const { kind } = shell;
    if (kind !== "web") return;
    const expected = await withValue(page);
    const save = async (entry: RegExp): Promise<Buffer> => {
      await page.getByRole("button", { name: "Save", exact: true }).click();
      const { path } = await shell.saved(() => page.getByRole("menuitem", { name: entry }).click());
      return readFile(path);
    };
    const lines = (await save(/CSV/)).toString("utf8").trimEnd().split("\r\n");
    expect(lines[0]).toMatch(/^station_id,name,network,.*ztd_mm,ztd_time,ztd_age_s,ztd_from,/);
    expect(lines).toHaveLength(1 + 67);
    const column = lines[0]!.split(",").indexOf("ztd_time");
    // Counted from the end, because names may contain commas.
    const fromEnd = column - lines[0]!.split(",").length;
    const values = lines.slice(1).filter((line) => line.split(",").at(fromEnd) !== "");
    expect(values).toHaveLength(expected);
    // Each variable has either a value or a reason for its absence.
    for (const variable of ["ztd", "ztd_sigma", "pwv"]) {
      const [value, because] = ["mm", "missing_because"].map(
        (name) => lines[0]!.split(",").indexOf(`${variable}_${name}`) - lines[0]!.split(",").length,
      );
      const fields = lines.slice(1).map((line) => [line.split(",").at(value!), line.split(",").at(because!)]);
      expect(fields.filter(([mm, cause]) => (mm === "") === (cause === ""))).toEqual([]);
      expect(fields.some(([mm]) => mm === "")).toBe(true);
    }
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("menuitem", { name: "Figure…" }).click();
    const { bytes: png } = await saveFigureAs(page, "PNG");
    expect(png.subarray(1, 4).toString("latin1")).toBe("PNG");
    expect(png.length).toBeGreaterThan(20_000);
  });

  it("saves the map over the time range as an animation, which can be stopped", async (context) => {
    const open = async (): Promise<void> => {
      await page.getByRole("toolbar", { name: "Map tools" }).getByRole("button", { name: "Save" }).click();
      await page.getByRole("menuitem", { name: /^Animation…/ }).click();
    };
    await open();
    const dialog = page.getByRole("dialog", { name: "Save animation" });
    await dialog.getByRole("img", { name: /^Preview: / }).waitFor();
    await shoot(page, "map-animation");
    await dialog.getByRole("button", { name: /^Save / }).click();
    await dialog
      .getByRole("status")
      .getByText(/^Drawing frame \d+ of \d+/)
      .waitFor();
    await dialog.getByRole("button", { name: "Stop" }).click();
    await dialog.getByRole("button", { name: "Cancel" }).waitFor();
    const choices = { every: "12 h", width: "640 pixels" };
    const gif = await saveAnimationAs(shell, "GIF", choices);
    expect(gif.name).toMatch(/^zenith-map-\d{8}T\d{6}Z-\d{8}T\d{6}Z\.gif$/);
    const { width, height, delaysMs, frames } = decodeGif(gif.bytes);
    expect([width, frames.length]).toEqual([640, gif.frames]);
    expect(frames.length).toBeGreaterThan(10);
    expect(height).toBeGreaterThan(300);
    expect(delaysMs).toEqual([...Array.from({ length: frames.length - 1 }, () => 100), 1_500]);
    // The time in the title changes; the colours of the scale, and the size, do not.
    const [first, second] = [frames[2]!, frames[3]!];
    expect(differing(first, second)).toBeGreaterThan(50);
    expect(differing(first, second)).toBeLessThan(first.length / 20);
    await open();
    const archive = await saveAnimationAs(shell, "PNG frames", choices);
    const pictures = runPython(
      context,
      ["zipfile", "struct"],
      `
with zipfile.ZipFile(${JSON.stringify(archive.path)}) as archive:
    assert archive.testzip() is None
    print(json.dumps([[i.filename, *struct.unpack(">II", archive.read(i)[16:24])] for i in archive.infolist()]))
`,
    ) as [string, number, number][];
    expect(pictures).toHaveLength(gif.frames);
    expect(pictures.map(([, w, h]) => [w, h])).toEqual(pictures.map(() => [width, height]));
    expect(pictures[0]?.[0]).toMatch(/^zenith-map-.*-0001-\d{8}T\d{6}Z\.png$/);
  });
});
