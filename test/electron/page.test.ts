import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { resolvePageFile, securityHeaders } from "#main/page.ts";
import { anyCharacter } from "../support/characters.ts";

const root = join(sep, "opt", "zenith", "out", "renderer");

describe("resolvePageFile", () => {
  it("serves the files of the build with their types", () => {
    expect(resolvePageFile(root, "/")?.path).toBe(join(root, "index.html"));
    expect(resolvePageFile(root, "/index.html")?.contentType).toBe("text/html; charset=utf-8");
    expect(resolvePageFile(root, "/assets/index-Dx_1-a.js")).toEqual({
      path: join(root, "assets", "index-Dx_1-a.js"),
      contentType: "text/javascript; charset=utf-8",
      cacheControl: "public, max-age=31536000, immutable",
    });
  });

  it.each([
    "/../main/core.js",
    "/%2e%2e/main/core.js",
    "/assets/..%2f..%2fmain/core.js",
    "/assets/..%5c..%5cmain%5ccore.js",
    "/assets/....//core.js",
    "//host/share.js",
    "/C:/windows/a.js",
    "/index.html:stream.js",
    "/.env.json",
    "/a%00.js",
    "/%E0%A4%A.js",
    "/index.html.",
    "/assets/",
    "/unknown.exe",
    "index.html",
    "",
  ])("rejects “%s”", (path) => expect(resolvePageFile(root, path)).toBeNull());

  it("returns only paths in its folder", () => {
    const part = fc.oneof(
      fc.constantFrom("..", ".", "", "%2e%2e", "%2f", "%5c", "\\", ":", "a", "assets", "index.html", "a.js", "%00"),
      fc.string({ unit: anyCharacter, maxLength: 6 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), fc.constantFrom("/", "%2f", "\\"), (parts, separator) => {
        const file = resolvePageFile(root, `/${parts.join(separator)}`);
        if (file === null) return;
        const inside = relative(root, file.path);
        expect(inside !== "" && !isAbsolute(inside) && !inside.split(/[\\/]/).includes("..")).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

function policyOf(options?: Parameters<typeof securityHeaders>[0]): string {
  return securityHeaders(options)["content-security-policy"]!;
}

describe("the content security policy of the page", () => {
  it("allows no inline code and no other origins", () => {
    const policy = policyOf();
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    for (const name of ["base-uri", "form-action", "frame-ancestors"]) expect(policy).toContain(`${name} 'none'`);
    for (const rule of ["worker-src 'none'", "require-trusted-types-for 'script'", "trusted-types default"])
      expect(policy.split("; ")).toContain(rule);
  });

  it("adds only allowed connections of a shell", () => {
    const more = policyOf({ connect: ["ws://127.0.0.1:8123"] });
    expect(more).toContain(" ws://127.0.0.1:8123");
    expect(more.replace(" ws://127.0.0.1:8123", "")).toBe(policyOf());
  });

  it("allows exactly the style of the installed React Aria", () => {
    const source = readFileSync(
      join(import.meta.dirname, "../../node_modules/react-aria/dist/private/interactions/usePress.mjs"),
      "utf8",
    );
    const attribute = /PRESSABLE_ATTRIBUTE = '([^']+)'/.exec(source)?.[1] ?? "";
    const text = /style\.textContent = `([^`]+)`\.trim\(\)/
      .exec(source)?.[1]
      ?.replace(/\$\{[^}]+\}/, attribute)
      .trim();
    const hash = createHash("sha256")
      .update(text ?? "")
      .digest("base64");
    expect(policyOf()).toContain(`'sha256-${hash}'`);
  });
});
