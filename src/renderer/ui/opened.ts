import { type ComponentType, lazy } from "react";

/** A part of the window that is loaded when it is opened first, to keep the start fast. */
export function opened(load: () => Promise<ComponentType>): ComponentType {
  return lazy(async () => ({ default: await load() }));
}
