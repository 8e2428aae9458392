import { expect, test } from "vitest";
import { CALLS, clientOf, EMPTY, httpServer, KEY } from "./servers.ts";

test.each([301, 302, 307, 308])("a %i within the origin is followed with method, body and key", async (status) => {
  const server = await httpServer((request, response) => {
    if (request.url!.startsWith("/new")) response.end(EMPTY);
    else response.writeHead(status, { Location: `/new${request.url}` }).end("moved");
  });
  for (const call of Object.values(CALLS)) {
    server.heads.length = 0;
    expect(await call(clientOf(server.url))).toBeNull();
    const [first, second] = server.heads;
    expect(second).toBe(first!.replace(" /api", " /new/api"));
    expect(second).toContain(KEY);
  }
});

test("a 303 is followed by GET without the body", async () => {
  const server = await httpServer((request, response) => {
    if (request.method === "GET") response.end(EMPTY);
    else response.writeHead(303, { Location: "/result" }).end();
  });
  expect(await CALLS["timeSeries"]!(clientOf(server.url))).toBeNull();
  expect(server.heads[1]).toMatch(/^GET \/result /);
});

test.each([301, 302, 303, 307, 308])(
  "a %i to another origin is an error, and no request reaches it",
  async (status) => {
    const other = await httpServer((_, response) => response.end(EMPTY));
    const server = await httpServer((request, response) => {
      response.writeHead(status, { Location: `${other.url}${request.url}` }).end();
    });
    for (const call of Object.values(CALLS)) {
      const error = await call(clientOf(server.url));
      expect(error).toMatchObject({ kind: "redirected", message: expect.stringContaining(other.url) });
    }
    expect(other.heads).toStrictEqual([]);
  },
);

test("the same host under another scheme or name is another origin", async () => {
  const locations = ["https://127.0.0.1:1/", "http://localhost:1/", "file:///etc/passwd", "http://[", ""];
  for (const location of locations) {
    const server = await httpServer((_, response) =>
      response.writeHead(308, location === "" ? {} : { Location: location }).end(),
    );
    expect((await CALLS["allStations"]!(clientOf(server.url)))?.kind).toBe("redirected");
  }
});

test("a redirect loop is an error after a bounded number of requests", async () => {
  const server = await httpServer((_, response) => response.writeHead(307, { Location: "/again" }).end());
  expect((await CALLS["timeSeries"]!(clientOf(server.url)))?.kind).toBe("redirected");
  expect(server.heads.length).toBeLessThan(10);
});
