import { expect, it } from "vitest";
import { withImpliedVariables } from "#shared/service/variables.ts";

it("variables include prn for el, az and snr, without duplicates and in order (specification 2.4, rule 3)", () => {
  expect(withImpliedVariables(["az", "ztd", "az"])).toEqual(["ztd", "az", "prn"]);
  expect(withImpliedVariables(["pwv", "ztd"])).toEqual(["ztd", "pwv"]);
});
