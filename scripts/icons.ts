// Renders resources/icon.svg in every size and format that the installers need, and resources/icon-16.svg, which has its
// lines on pixels, in the smallest. Run when a drawing changes: node scripts/icons.ts
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { packIcns, packIco, type Picture } from "./iconFiles.ts";

const resources = join(import.meta.dirname, "..", "resources");
const drawing = readFileSync(join(resources, "icon.svg"), "utf8");
/** Icons have a margin on macOS only. */
const WITHOUT_MARGIN = drawing.replace('viewBox="0 0 1024 1024"', 'viewBox="84 84 856 856"');

const SMALL = readFileSync(join(resources, "icon-16.svg"), "utf8");
const SMALL_PX = 16;

async function draw(svg: string, sizes: readonly number[]): Promise<Picture[]> {
  const browser = await chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });
  const page = await browser.newPage();
  const pictures: Picture[] = [];
  for (const size of sizes) {
    await page.setViewportSize({ width: size, height: size });
    await page.setContent(
      `<style>* { margin: 0 } svg { display: block; width: ${size}px }</style>${size === SMALL_PX ? SMALL : svg}`,
    );
    pictures.push({ size, png: await page.screenshot({ omitBackground: true }) });
  }
  await browser.close();
  return pictures;
}

const plain = await draw(WITHOUT_MARGIN, [16, 24, 32, 48, 64, 128, 256, 512]);
writeFileSync(join(resources, "icon.ico"), packIco(plain.filter((picture) => picture.size <= 256)));
rmSync(join(resources, "icons"), { recursive: true, force: true });
mkdirSync(join(resources, "icons"));
for (const { size, png } of plain) writeFileSync(join(resources, "icons", `${size}x${size}.png`), png);
writeFileSync(join(resources, "icon.icns"), packIcns(await draw(drawing, [16, 32, 64, 128, 256, 512, 1024])));
