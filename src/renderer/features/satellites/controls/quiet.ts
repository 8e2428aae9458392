import { memo } from "react";
import { Segments, Select } from "../../../ui/choices.tsx";

// Controls that are rendered again only when something about them changes, not with every sky that is read: there are a
// dozen of them in the view, and each costs as much as a figure.

export const QuietSelect = memo(Select) as typeof Select;
export const QuietSegments = memo(Segments) as typeof Segments;
