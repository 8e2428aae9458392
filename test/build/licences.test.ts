import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { licencesText, shipped } from "../../scripts/licences.ts";

const root = join(import.meta.dirname, "..", "..");

describe("licences of shipped packages", () => {
  const all = shipped(root);

  it("are complete texts for every dependency of the program", () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      dependencies: Record<string, string>;
    };
    const wanted = Object.entries(dependencies).map(([name, version]) => `${name} ${version}`);
    expect(all.map(({ name }) => name)).toEqual(expect.arrayContaining([...wanted, "SQLite", "zlib", "Emscripten"]));
    for (const { name, text } of all)
      expect({ name, isWhole: text.trim().length > 200 }).toEqual({ name, isWhole: true });
  });

  it("include the notices that the strictest of them require", () => {
    const text = licencesText(all);
    expect(text).toContain("SIL OPEN FONT LICENSE");
    expect(text).toContain("The HDF Group");
    expect(text).toContain("NIST-developed software");
    for (const { name } of all) expect(text).toContain(name);
  });

  it("stop the build with the name of the package if one is missing", () => {
    const bare = [...all, { name: "newcomer 1.0.0", note: "MIT", text: " \n" }];
    expect(() => licencesText(bare)).toThrow(/newcomer 1\.0\.0.*resources\/licences/);
  });

  it("are in the installer as a file that can be read without the program", () => {
    const config = readFileSync(join(root, "electron-builder.yml"), "utf8");
    expect(config).toContain("from: out/LICENCES.txt");
    // On a Mac, these files would be in a place where the signature allows only code.
    expect(config).not.toContain("extraFiles");
    expect(readFileSync(join(root, "scripts", "package.ts"), "utf8")).toContain('"LICENCES.txt"), licencesText(');
  });
});
