import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { forEachShell } from "../e2e/harness/forEachShell.ts";
import { tries } from "../support/endurance.ts";
import { exploreDemo, stations } from "../e2e/harness/steps.ts";

const LOOKS = [
  { colorScheme: "light", forcedColors: "none" },
  { colorScheme: "dark", forcedColors: "none" },
  { colorScheme: "light", forcedColors: "active" },
  { colorScheme: "dark", forcedColors: "active" },
] as const;

/** The lowest contrast between the edge of a row, as far as it is in sight, and its ground. */
async function edgeContrast(page: Page, row: Locator): Promise<number> {
  const [box, around] = [
    (await row.boundingBox())!,
    await row.evaluate((e) => {
      const grid = e.closest("[role=grid]")!;
      return { left: grid.getBoundingClientRect().left, width: grid.clientWidth };
    }),
  ];
  const width = Math.min(box.width, around.left + around.width - box.x);
  const isWhole = width === box.width;
  const png = await page.screenshot({ clip: { ...box, width }, animations: "disabled" });
  return page.evaluate(
    async ({ bytes, sides }) => {
      const binary = Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0));
      const image = await createImageBitmap(new Blob([binary], { type: "image/png" }));
      const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d")!;
      canvas.drawImage(image, 0, 0);
      const luminance = (x: number, y: number): number => {
        const [r = 0, g = 0, b = 0] = [...canvas.getImageData(x, y, 1, 1).data].map((byte) => {
          const share = byte / 255;
          return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const { width: w, height: h } = image;
      // Beside all texts and ticks.
      const ground = luminance(5, 5);
      const shares = Array.from({ length: 20 }, (_, i) => (i + 0.5) / 20);
      const edges = [
        ...shares.flatMap((x) => [luminance(x * w, 1), luminance(x * w, h - 3)]),
        ...shares.flatMap((y) => [luminance(1, y * (h - 1)), ...(sides === 2 ? [luminance(w - 2, y * (h - 1))] : [])]),
      ];
      return Math.min(...edges.map((at) => (Math.max(at, ground) + 0.05) / (Math.min(at, ground) + 0.05)));
    },
    { bytes: png.toString("base64"), sides: isWhole ? 2 : 1 },
  );
}

forEachShell("contrast", { shells: tries(1, Infinity) }, (page) => {
  beforeAll(async () => {
    await exploreDemo(page);
  });

  it("of the ring around the row under the keyboard is 3 to 1, selected or not, in every theme", async () => {
    await page.keyboard.press("6");
    const rows = page.getByRole("grid", { name: "Rows" });
    await rows.locator("[data-row]").first().waitFor();
    const found: Record<string, number> = {};
    for (const look of LOOKS) {
      await page.emulateMedia(look);
      for (const [name, grid, keys] of [
        ["a station", stations(page), ["Home", "ArrowDown"]],
        ["a selected station", stations(page), ["End", "Home", "Space"]],
        ["a row", rows, ["ArrowDown"]],
      ] as const) {
        await grid.focus();
        for (const key of keys) await page.keyboard.press(key);
        const row = grid.locator("[data-focused]");
        await row.waitFor();
        found[`${name}, ${look.colorScheme}, ${look.forcedColors}`] = await edgeContrast(page, row);
        if (keys.length === 3) await page.keyboard.press("Space");
      }
    }
    await page.emulateMedia({ colorScheme: null, forcedColors: "none" });
    expect(Object.entries(found).filter(([, contrast]) => contrast < 3)).toEqual([]);
  });
});
