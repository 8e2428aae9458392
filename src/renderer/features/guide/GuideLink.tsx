import { Link } from "react-aria-components";
import type { ReactNode } from "react";
import type { PageId } from "./pages.ts";
import classes from "./link.module.css";
import { openGuide } from "./open.ts";

export function GuideLink(props: {
  readonly page: PageId;
  readonly anchor?: string | null;
  readonly children: ReactNode;
}) {
  const { page, anchor = null, children } = props;
  return (
    <Link className={classes["link"]} onPress={() => openGuide(page, anchor)}>
      {children}
    </Link>
  );
}
