import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { readCsv } from "../formats/csvReader.ts";
import { decodeGif, saveAnimationAs } from "../e2e/harness/animation.ts";
import { saveFigureAs } from "../e2e/harness/figure.ts";
import { downloaded } from "../e2e/harness/downloaded.ts";
import { clipboardText } from "../e2e/harness/clipboard.ts";
import { forEachShell } from "../e2e/harness/forEachShell.ts";
import { tries } from "../support/endurance.ts";
import { choose, connect, fetchButton, numberOf, setRange } from "../e2e/harness/steps.ts";
import { SOON } from "../e2e/harness/soon.ts";
import { KEY, NOW_MS } from "../support/desk.ts";
import { axeViolationsInThemes } from "../support/axe.ts";

const figure = (page: Page, title: string): Locator => page.getByRole("region", { name: title, exact: true });
const slider = (page: Page): Locator => page.getByRole("slider", { name: "Moment of the sky plot" });

function picture(page: Page, title: string): Promise<string> {
  return figure(page, title)
    .locator("canvas")
    .evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());
}

async function momentOf(page: Page): Promise<number> {
  const [, day, time] = /^(\S+) (\S+) UTC · /.exec((await slider(page).getAttribute("aria-valuetext")) ?? "") ?? [];
  return Date.parse(`${day}T${time}Z`);
}

/** The number of values that the figure of bins states. */
async function binned(page: Page): Promise<number> {
  const words = await figure(page, "C/N0 against elevation")
    .getByText(/^Median and quartiles of/)
    .innerText();
  return numberOf(/of ([\d,]+) values/.exec(words)?.[1] ?? "");
}

forEachShell(
  "the satellites of a station",
  { shells: tries(1, Infinity), service: { now: () => NOW_MS } },
  (page, shell) => {
    beforeAll(async () => {
      await page.setViewportSize({ width: 1440, height: 900 });
      await connect(page, shell.service?.url ?? "", KEY);
    });

    it("require a station, and are downloaded at the announced cost", async () => {
      const { service } = shell;
      await page.keyboard.press("3");
      await page.getByText("No station selected").waitFor();
      await choose(page, ["Kallio"]);
      await setRange(page, "2026-09-02", "2026-09-02");
      await page.getByText("No satellites of Kallio are cached for this range").waitFor();
      // Nothing else offers the same.
      await expect
        .poll(() => page.getByRole("button", { name: /^Fetch (?!options)/ }).allInnerTexts())
        .toEqual([expect.stringMatching(/^Fetch 2,880 points/)]);
      const fetch = fetchButton(page);
      const before = service?.stats.log.filter((r) => r.endpoint === "query").length;
      expect(before).toBe(0);
      await fetch.click();
      await slider(page).waitFor();
      await page.keyboard.press("Escape");
      await expect
        .poll(
          () => service?.stats.log.reduce((sum, r) => sum + (r.endpoint === "query" ? (r.points ?? 0) : 0), 0),
          SOON,
        )
        .toBe(2_880);
      await expect.poll(() => fetch.count(), SOON).toBe(0);
      // Each of the four variables has a result of its own name.
      await page.keyboard.press("Control+j");
      const drawer = page.getByRole("region", { name: "Downloads and exports" });
      await drawer.getByRole("button", { name: "Show results by station" }).first().click();
      const verdicts = drawer.getByRole("grid", { name: "Verdicts" });
      for (const name of ["C/N0", "Elevation", "Azimuth", "Satellites"])
        await verdicts.getByRole("gridcell", { name, exact: true }).waitFor();
      await page.keyboard.press("Control+j");
    });

    it("follow the time, by keyboard, by a click on the plot below, and while playing", async () => {
      await slider(page).focus();
      await page.keyboard.press("Home");
      await expect.poll(() => momentOf(page), SOON).toBe(Date.UTC(2026, 8, 2));
      const first = await picture(page, "Sky plot");
      await page.keyboard.press("PageUp");
      await page.keyboard.press("ArrowRight");
      await expect.poll(() => momentOf(page), SOON).toBe(Date.UTC(2026, 8, 2, 1, 0, 30));
      await expect.poll(async () => (await picture(page, "Sky plot")) === first, SOON).toBe(false);
      const box = await figure(page, "Satellites in view").locator("canvas").boundingBox();
      if (!box) throw new Error("There is no plot to press.");
      await page.mouse.click(box.x + box.width / 2, box.y + 30);
      await expect
        .poll(async () => Math.abs((await momentOf(page)) - Date.UTC(2026, 8, 2, 12)) < 3_600_000, SOON)
        .toBe(true);
      const before = await momentOf(page);
      await figure(page, "Satellites in view").getByRole("button", { name: "Play" }).click();
      await expect.poll(async () => (await momentOf(page)) > before, SOON).toBe(true);
      await figure(page, "Satellites in view").getByRole("button", { name: "Pause" }).click();
    });

    it("are saved as an animation of the sky", async () => {
      await figure(page, "Sky plot").getByRole("button", { name: "Save: Sky plot" }).click();
      await page.getByRole("menuitem", { name: /^Animation…/ }).click();
      const dialog = page.getByRole("dialog", { name: "Save animation" });
      await dialog.getByRole("img", { name: /^Preview: Sky plot/ }).waitFor();
      expect(await axeViolationsInThemes(page)).toEqual([]);
      const { name, bytes, frames } = await saveAnimationAs(shell, "GIF", { every: "1 h 36 min", width: "640 pixels" });
      expect(name).toMatch(/^zenith-sky-kallio-\d{8}-\d{8}\.gif$/);
      const gif = decodeGif(bytes);
      expect(gif.frames).toHaveLength(frames);
      expect(frames).toBe(16);
      // Satellites move, so that all frames differ.
      const texts = gif.frames.map((pixels) => Buffer.from(pixels).toString("base64"));
      expect(new Set(texts).size).toBe(frames);
    });

    it("have context menus for one satellite and for figures", async () => {
      const satellites = figure(page, "Sky plot").getByRole("listbox");
      await satellites.focus();
      await page.keyboard.press("ArrowRight");
      const words = await satellites.getByRole("option").innerText();
      await page.keyboard.press("Shift+F10");
      const menu = page.getByRole("menu", { name: "Sky plot" });
      await menu.getByRole("menuitem", { name: "Remove highlight" }).waitFor();
      await menu.getByRole("menuitem", { name: /^Copy the values of / }).click();
      await expect.poll(() => clipboardText(page)).toContain(words);
      await figure(page, "C/N0 against elevation")
        .locator("canvas")
        .click({ button: "right", position: { x: 80, y: 60 } });
      await page.getByRole("menuitem", { name: "Save values as CSV" }).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("menu").waitFor({ state: "detached" });
      await page.keyboard.press("Escape");
    });

    const chooseTracks = async (tracks: string): Promise<void> => {
      await figure(page, "Sky plot")
        .getByRole("button", { name: /Tracks of/ })
        .click();
      await page.getByRole("option", { name: tracks }).click();
    };
    const go = async (...keys: readonly (readonly [string, number])[]): Promise<string> => {
      await slider(page).focus();
      for (const [key, times] of keys) for (let n = 0; n < times; n++) await page.keyboard.press(key);
      await expect.poll(() => momentOf(page), SOON).toBe(Date.UTC(2026, 8, 2, 18, 59, 30));
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      return picture(page, "Sky plot");
    };

    it("are drawn the same, regardless of how a time and track length were reached", async () => {
      await chooseTracks("Tracks of 24 h");
      const back = await go(["End", 1], ["PageDown", 5]);
      const forth = await go(["Home", 1], ["PageUp", 19], ["ArrowLeft", 1]);
      expect(forth === back).toBe(true);
      await chooseTracks("Tracks of 1 h");
      const short = await go();
      expect(short === back).toBe(false);
      await chooseTracks("Tracks of 24 h");
      expect((await go()) === back).toBe(true);
      await chooseTracks("Tracks of 2 h");
    });

    it("are filtered by an elevation cut-off in all figures, and by constellation", async () => {
      const titles = ["Sky plot", "C/N0 against elevation", "Mean C/N0 over the sky", "Satellites in view"];
      const [all, before] = [await binned(page), await Promise.all(titles.map((title) => picture(page, title)))];
      await page.getByRole("slider", { name: "Elevation cut-off" }).focus();
      for (let press = 0; press < 4; press++) await page.keyboard.press("PageUp");
      await expect.poll(async () => (await binned(page)) < all, SOON).toBe(true);
      const above = await binned(page);
      for (const [i, title] of titles.entries())
        await expect.poll(async () => (await picture(page, title)) === before[i], SOON).toBe(false);
      await page.getByRole("button", { name: "GLONASS" }).click();
      await expect.poll(async () => (await binned(page)) < above, SOON).toBe(true);
      await page.getByRole("button", { name: "GLONASS" }).click();
      await page.getByRole("slider", { name: "Elevation cut-off" }).focus();
      await page.keyboard.press("Home");
      await expect.poll(() => binned(page), SOON).toBe(all);
    });

    it("are listed as received, and saved as CSV, PNG and SVG with vectors and texts", async () => {
      await page.getByRole("radio", { name: "Values" }).click();
      const values = page.getByRole("region", { name: "Values at the moment" });
      const table = values.getByRole("table").first();
      const rows = table.getByRole("row");
      const prns = values.locator("dd").last();
      await expect.poll(() => prns.innerText(), SOON).toContain("G");
      const received = (await prns.innerText()).split(",");
      await expect.poll(() => rows.count(), SOON).toBe(received.length + 1);
      const listed = await table.getByRole("rowheader").allInnerTexts();
      expect(listed.toSorted()).toEqual(received.toSorted());
      await page.getByRole("radio", { name: "Figures" }).click();
      const save = async (title: string, kind: "CSV") =>
        downloaded(page, async () => {
          await page.getByRole("button", { name: `Save: ${title}` }).click();
          await page.getByRole("menuitem", { name: kind }).click();
        });
      const csv = await save("Sky plot", "CSV");
      const [head, ...body] = readCsv(csv.bytes.toString("utf8"));
      expect(head).toEqual(["time", "prn", "constellation", "el_deg", "az_deg", "cn0_1_dbhz", "cn0_2_dbhz"]);
      expect(body.map((row) => row[1]).toSorted()).toEqual(received.toSorted());
      for (const title of ["Sky plot", "C/N0 against elevation", "Mean C/N0 over the sky", "Satellites in view"]) {
        await page.getByRole("button", { name: `Save: ${title}` }).click();
        await page.getByRole("menuitem", { name: "Figure…" }).click();
        const svg = (await saveFigureAs(page, "SVG")).bytes.toString("utf8");
        expect(svg).not.toContain("<image");
        const axis = title === "Satellites in view" ? "Satellites" : "dB-Hz";
        const words = [title, axis, ...(title === "Sky plot" ? received : [])];
        expect(words.filter((word) => !svg.includes(`>${word}<`))).toEqual([]);
      }
      await page.getByRole("button", { name: "Save: Sky plot" }).click();
      await page.getByRole("menuitem", { name: "Figure…" }).click();
      const { bytes } = await saveFigureAs(page, "PNG");
      expect(bytes.subarray(1, 4).toString("latin1")).toBe("PNG");
      expect(bytes.readUInt32BE(16)).toBe(Math.round((177 / 25.4) * 300));
    });

    it("can be reached by keyboard and are announced to screen readers", async () => {
      const list = page.getByRole("listbox", { name: "Satellites of the sky plot" });
      const announcement = () => list.getByRole("option").innerText();
      const readout = figure(page, "Sky plot").locator("p");
      const before = await picture(page, "Sky plot");
      await list.focus();
      const entry =
        /^[GRECJIS]\d\d \w+ · elevation [\d.]+° · azimuth [\d.]+° · C\/N0 band 1 [\d.]+, band 2 [\d.]+ dB-Hz(?<end> · last tracked [-\d]{10} [:\d]{8} UTC)?$/;
      await expect.poll(announcement, SOON).toMatch(entry);
      const seen = new Set([await announcement()]);
      await expect.poll(() => readout.innerText(), SOON).toBe(await announcement());
      await expect.poll(async () => (await picture(page, "Sky plot")) === before, SOON).toBe(false);
      const total = Number(await list.getByRole("option").getAttribute("aria-setsize"));
      for (let place = 2; place <= total; place++) {
        await page.keyboard.press("ArrowRight");
        await expect.poll(() => list.getByRole("option").getAttribute("aria-posinset"), SOON).toBe(String(place));
        expect(await announcement()).toMatch(entry);
        seen.add(await announcement());
      }
      expect(seen.size).toBe(total);
      // Those whose track of the last hours has ended are not in view.
      const inView = [...seen].filter((words) => !entry.exec(words)?.groups?.["end"]).length;
      expect(inView).toBeLessThan(total);
      // The active element is the announced option.
      const active = await list.getAttribute("aria-activedescendant");
      await expect.poll(() => page.locator(`[id="${active}"]`).innerText(), SOON).toBe(await announcement());
      await page.keyboard.press("Home");
      await expect.poll(announcement, SOON).toBe([...seen][0]);
      await page.keyboard.press("Escape");
      await expect.poll(() => readout.innerText(), SOON).toBe(`${inView} satellites`);
      await expect
        .poll(() => slider(page).getAttribute("aria-valuetext"), SOON)
        .toMatch(new RegExp(` UTC · ${inView} in view: GPS \\d+, `));
    });

    it("let the arrow keys read the bins of elevation and the cells of the sky", async () => {
      for (const [title, list, keys, words] of [
        [
          "C/N0 against elevation",
          "Bins of elevation",
          ["ArrowRight", "ArrowRight", "ArrowRight"],
          /^15–20° · dB-Hz: GPS [\d.]+ /,
        ],
        [
          "Mean C/N0 over the sky",
          "Cells of the sky",
          ["ArrowUp", "ArrowUp", "ArrowUp", "End"],
          /^Azimuth 355–360° · elevation 15–20° · /,
        ],
      ] as const) {
        const before = await picture(page, title);
        const places = figure(page, title).getByRole("listbox", { name: list });
        await places.focus();
        for (const key of keys) await page.keyboard.press(key);
        await expect.poll(() => places.getByRole("option").innerText(), SOON).toMatch(words);
        expect(await figure(page, title).locator("p").innerText()).toBe(await places.getByRole("option").innerText());
        await expect.poll(async () => (await picture(page, title)) === before, SOON).toBe(false);
        await page.keyboard.press("Escape");
        await expect.poll(async () => (await picture(page, title)) === before, SOON).toBe(true);
      }
    });

    it("show the cell under the cursor, with units", async () => {
      const heat = figure(page, "Mean C/N0 over the sky");
      const box = await heat.locator("canvas").boundingBox();
      if (!box) throw new Error("There is no figure to point at.");
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await expect
        .poll(() => heat.locator("p").innerText(), SOON)
        .toMatch(/^Azimuth \d+–\d+° · elevation \d+–\d+° · (mean [\d.]+ dB-Hz · [\d,]+ values?|no values)$/);
      await page.mouse.move(0, 0);
    });

    it("are shown as the first observation of averages of the service, and as observed with local averages", async () => {
      await page.getByRole("button", { name: /Interval/ }).click();
      await page.getByRole("option", { name: "1 h" }).click();
      await page.getByText("first observation").waitFor();
      await page.getByRole("button", { name: /Averaged/ }).click();
      await page.getByRole("option", { name: /Averaged here/ }).click();
      await page.getByText("shown as observed").waitFor();
      await expect.poll(() => binned(page), SOON).toBeGreaterThan(1_000);
    });
  },
);
