import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { readFile } from "node:fs/promises";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Browser } from "playwright-core";

const modules = join(import.meta.dirname, "..", "..", "node_modules");
const FILES: Readonly<Record<string, string>> = {
  "/uplot.js": join(modules, "uplot", "dist", "uPlot.iife.min.js"),
  "/uplot.css": join(modules, "uplot", "dist", "uPlot.min.css"),
  "/echarts.js": join(import.meta.dirname, "node_modules", "echarts", "dist", "echarts.min.js"),
  "/peers.js": join(import.meta.dirname, "peers.js"),
};
const PAGE = `<!doctype html><link rel="stylesheet" href="/uplot.css"><body><script src="/uplot.js"></script><script src="/echarts.js"></script><script src="/peers.js"></script>`;

export interface PeerTimes {
  /** Until the first picture. All times are in milliseconds. */
  readonly firstMs: number;
  readonly frames: readonly number[];
}

export interface PeerArrays {
  readonly timesMs: Float64Array;
  /** One value per time, NaN if missing. */
  readonly stations: readonly Float64Array[];
}

/** Measures another library in the same browser, in a new page, with the arrays that we draw. */
export async function measurePeer(
  browser: Browser,
  name: "uplot" | "echarts",
  { timesMs, stations }: PeerArrays,
  frames: number,
): Promise<PeerTimes> {
  const arrays = [timesMs, ...stations];
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const file = FILES[request.url ?? ""];
    if (request.url === "/data.bin") {
      for (const array of arrays) response.write(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
      return void response.end();
    }
    const types = { js: "text/javascript", css: "text/css" } as const;
    if (file) response.setHeader("content-type", types[file.endsWith(".css") ? "css" : "js"]);
    else response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(file ? await readFile(file) : PAGE);
  };
  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  try {
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await page.evaluate(`load(${timesMs.length}, ${stations.length})`);
    const measure = name === "uplot" ? "measureUplot" : "measureEcharts";
    return await page.evaluate<PeerTimes>(`${measure}(data.times, data.arrays, ${frames})`);
  } finally {
    await page.close();
    server.closeAllConnections();
    server.close();
  }
}
