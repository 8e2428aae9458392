import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/** Checks of a page for those who cannot see it, or cannot use a mouse. */
export function axeOn(page: Page): AxeBuilder {
  // What the library of controls reads aloud lies here for some seconds, its label being gone by then.
  return new AxeBuilder({ page }).exclude("[data-live-announcer]");
}
