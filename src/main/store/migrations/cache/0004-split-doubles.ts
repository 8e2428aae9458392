/** Nothing of the tables: doubles are written in a form that earlier versions would take for damage. */
export const SPLIT_DOUBLES = "";
