import { describe, expect, it, test } from "vitest";
import { COMMANDS, commandOf } from "#shared/commands.ts";
import { acceleratorCommand, keyCommand, keysOf, type KeyStroke } from "#renderer/features/shell/keys.ts";

const NO_MODIFIERS = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, isAltGraph: false };

function stroke(key: string, part: Partial<KeyStroke> = {}): KeyStroke {
  return { key, code: "", ...NO_MODIFIERS, ...part };
}

const ctrl = { ctrlKey: true };

describe("an accelerator", () => {
  test.each([
    [stroke("k", ctrl), "palette"],
    [stroke("K", ctrl), "palette"],
    [stroke(",", ctrl), "settings"],
    [stroke("R", { ...ctrl, shiftKey: true }), "catalogue.refresh"],
    [stroke("1", ctrl), "view.series"],
    [stroke("[", ctrl), "time.back"],
  ] as const)("%o runs %s", (pressed, command) => expect(acceleratorCommand(pressed, false)).toBe(command));

  it("uses Command on a Mac, where Ctrl belongs to the system", () => {
    expect(acceleratorCommand(stroke("k", { metaKey: true }), true)).toBe("palette");
    expect(acceleratorCommand(stroke("k", ctrl), true)).toBeNull();
    expect(acceleratorCommand(stroke("k", { metaKey: true }), false)).toBeNull();
  });

  it("identifies a letter by its position on keyboards of other scripts", () => {
    expect(acceleratorCommand(stroke("л", { ...ctrl, code: "KeyK" }), false)).toBe("palette");
    // Latin letters count as typed, regardless of their position.
    expect(acceleratorCommand(stroke("e", { ...ctrl, code: "KeyK" }), false)).toBe("export");
  });

  it("accepts Shift for characters that need it, but not for letters", () => {
    expect(acceleratorCommand(stroke("/", { ...ctrl, shiftKey: true }), false)).toBe("shortcuts");
    expect(acceleratorCommand(stroke("K", { ...ctrl, shiftKey: true }), false)).toBeNull();
    expect(acceleratorCommand(stroke("r", ctrl), false)).toBeNull();
  });

  it("can be a function key without modifiers", () => {
    expect(acceleratorCommand(stroke("F1"), false)).toBe("guide");
    expect(acceleratorCommand(stroke("F1"), true)).toBe("guide");
    for (const modifier of [ctrl, { shiftKey: true }, { altKey: true }, { metaKey: true }])
      expect(acceleratorCommand(stroke("F1", modifier), false)).toBeNull();
  });

  it("supports both shortcuts for Redo", () => {
    expect(acceleratorCommand(stroke("z", ctrl), false)).toBe("undo");
    expect(acceleratorCommand(stroke("y", ctrl), false)).toBe("redo");
    expect(acceleratorCommand(stroke("Z", { ...ctrl, shiftKey: true }), false)).toBe("redo");
    expect(acceleratorCommand(stroke("Z", { metaKey: true, shiftKey: true }), true)).toBe("redo");
  });

  it("ignores AltGr, Alt and plain letters", () => {
    expect(acceleratorCommand(stroke("[", { ...ctrl, altKey: true, isAltGraph: true }), false)).toBeNull();
    expect(acceleratorCommand(stroke("k", { ...ctrl, altKey: true }), false)).toBeNull();
    expect(acceleratorCommand(stroke("k"), false)).toBeNull();
  });

  it("is unique among commands", () => {
    const accelerators = COMMANDS.flatMap((c) => ("accelerator" in c ? c.accelerator : []));
    expect(new Set(accelerators).size).toBe(accelerators.length);
  });
});

describe("a single key", () => {
  test.each([
    [stroke("/"), "search"],
    [stroke("f"), "fetch"],
    [stroke("F"), "fetch"],
    [stroke("?", { shiftKey: true }), "shortcuts"],
    [stroke("/", { shiftKey: true }), "search"],
    [stroke("[", { ctrlKey: true, altKey: true, isAltGraph: true }), "time.back"],
  ] as const)("%o runs %s", (pressed, command) => expect(keyCommand(pressed)).toBe(command));

  it("is ignored with Ctrl or Command, or as a capital typed with Shift", () => {
    expect(keyCommand(stroke("f", ctrl))).toBeNull();
    expect(keyCommand(stroke("f", { metaKey: true }))).toBeNull();
    expect(keyCommand(stroke("F", { shiftKey: true }))).toBeNull();
    expect(keyCommand(stroke("x"))).toBeNull();
  });
});

it("keys are shown as printed on the keyboard", () => {
  expect(keysOf(commandOf("catalogue.refresh"), false)).toEqual(["Ctrl Shift R"]);
  expect(keysOf(commandOf("palette"), true)).toEqual(["⌘ K"]);
  expect(keysOf(commandOf("fetch"), false)).toEqual(["F", "Ctrl D"]);
});
