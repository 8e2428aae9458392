import { memo } from "react";
import { Segments, Select } from "../../../ui/choices.tsx";

// Memoized controls, because rerendering a dozen of them with every update of the sky costs as much as the figures.

export const MemoSelect = memo(Select) as typeof Select;
export const MemoSegments = memo(Segments) as typeof Segments;
