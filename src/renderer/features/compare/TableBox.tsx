import type { ReactNode } from "react";
import type { contextMenuHandlers } from "../../ui/ContextMenu.tsx";
import classes from "./compare.module.css";

interface TableBoxProps {
  readonly label: string;
  /** Headings in several lines; "pairs" also has narrow cells. */
  readonly narrow?: true | "pairs";
  /** The context menu of the rows. */
  readonly menu?: ReturnType<typeof contextMenuHandlers>;
  readonly head: ReactNode;
  readonly children: ReactNode;
}

/** A table that scrolls in a box of its own. */
export function TableBox({ label, narrow, menu, head, children }: TableBoxProps) {
  return (
    <div
      className={classes["tableBox"]}
      role="region"
      aria-label={label}
      tabIndex={0}
      onContextMenu={menu?.onContextMenu}
      onKeyDown={menu?.onMenuKey}
    >
      <table className={classes["table"]} data-narrow={narrow}>
        <thead>
          <tr>{head}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

export function NumberHeads({ heads }: { readonly heads: readonly string[] }) {
  return heads.map((head) => (
    <th key={head} scope="col" className={classes["number"]}>
      {head}
    </th>
  ));
}

/** @param columns names of the columns, for the style sheet */
export function NumberCells(props: { readonly cells: readonly string[]; readonly columns?: readonly string[] }) {
  return props.cells.map((cell, i) => (
    // The order of columns is fixed.
    <td key={i} className={classes["number"]} data-column={props.columns?.[i]}>
      {cell}
    </td>
  ));
}
