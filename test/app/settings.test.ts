import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SettingsStore } from "#main/app/settings.ts";
import { DEFAULT_SETTINGS, type Settings } from "#shared/bridge/methods/settings.ts";

function memory(): ConstructorParameters<typeof SettingsStore>[0] & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    assertWritable() {},
    setting: (name) => kept.get(name) ?? null,
    putSetting: (name, value) => void (value === null ? kept.delete(name) : kept.set(name, value)),
  };
}

describe("settings", () => {
  it("fall back to the default of each invalid field", () => {
    const stored = (text: string): Settings => new SettingsStore({ ...memory(), setting: () => text }).read();
    expect(new SettingsStore(memory()).read()).toEqual(DEFAULT_SETTINGS);
    for (const text of ["", "{", "null", "7", "[]", '"x"', "{}"]) expect(stored(text)).toEqual(DEFAULT_SETTINGS);
    expect(stored('{"theme":"pink","notify":false,"later":1}')).toEqual({ ...DEFAULT_SETTINGS, notify: false });
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => stored(text) !== null));
  });

  it("change only given fields, and persist", () => {
    const store = memory();
    new SettingsStore(store).write({ theme: "dark", localTime: false });
    new SettingsStore(store).write({ theme: "light", notify: undefined });
    expect(new SettingsStore(store).read()).toEqual({ ...DEFAULT_SETTINGS, theme: "light", localTime: false });
  });

  it("are separate from workspaces with any key", () => {
    const settings = new SettingsStore(memory());
    settings.putWorkspace("settings", "not settings");
    expect(settings.read()).toEqual(DEFAULT_SETTINGS);
    expect(settings.workspace("settings")).toBe("not settings");
    expect(settings.workspace("other")).toBeNull();
  });
});
