import { useConnection } from "../../stores/connection.ts";
import { TimeRange } from "../range/TimeRange.tsx";
import classes from "./shell.module.css";

/** Connection, palette, and the one time range. */
export function TitleBar() {
  const name = useConnection((s) => s.current?.info.name ?? "");
  return (
    <header className={classes["title"]}>
      <strong>{name}</strong>
      <span className={classes["spring"]} />
      <TimeRange />
    </header>
  );
}
