import { describe, expect, it } from "vitest";
import { recognize } from "#formats/open/meaning/quantities.ts";

const PWV = "lwe_thickness_of_atmosphere_mass_content_of_water_vapor";

function found(name: string, unit: string | null, standardName: string | null = null) {
  const { quantity, factor } = recognize({ name, unit, standardName, longName: null });
  return [quantity.variable, quantity.unit, factor, quantity.conversion === null ? "as it is" : "converted"];
}

describe("a quantity of a file", () => {
  it.each([
    ["ztd", "mm", null, ["ztd", "mm", 1, "as it is"]],
    ["ZTD", "m", null, ["ztd", "mm", 1_000, "converted"]],
    ["sigma_ztd", "millimetres", null, ["ztd_sigma", "mm", 1, "as it is"]],
    ["x", "cm", PWV, ["pwv", "mm", 10, "converted"]],
    ["iwv", "kg m-2", null, ["pwv", "mm", 1, "converted"]],
    ["tcwv", "kg m**-2", null, ["pwv", "mm", 1, "converted"]],
    ["iwv", "kg/m2", "atmosphere_mass_content_of_water_vapor", ["pwv", "mm", 1, "converted"]],
  ])("is recognized: %s in %s (%s)", (name, unit, standardName, expected) => {
    expect(found(name, unit, standardName)).toEqual(expected);
  });

  it.each([
    ["ztd without a unit", "ztd", null, null],
    ["ztd in another unit", "ztd", "s", null],
    ["a delay as mass", "ztd", "kg m-2", null],
    ["a wet delay", "zwd", "m", null],
    ["the error of PWV", "pwv_error", "mm", `${PWV} standard_error`],
    ["a name that only begins with a known one", "ztd_quality", "mm", null],
  ])("is shown unchanged if it is %s", (_, name, unit, standardName) => {
    expect(found(name, unit, standardName)).toEqual([null, unit, 1, "as it is"]);
  });
});
