import { Link } from "react-aria-components";
import type { ReactNode } from "react";
import type { PageId } from "./contents.ts";
import classes from "./link.module.css";
import { openGuide } from "./open.ts";

/** A link to a page of the guide. */
export function GuideLink(props: { readonly page: PageId; readonly anchor?: string; readonly children: ReactNode }) {
  return (
    <Link className={classes["link"]} onPress={() => openGuide(props.page, props.anchor ?? null)}>
      {props.children}
    </Link>
  );
}
