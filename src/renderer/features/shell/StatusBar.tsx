import { useConnection } from "../../stores/connection.ts";
import classes from "./shell.module.css";

/** The truth at a glance: network, work under way, size and age of what is cached. */
export function StatusBar() {
  const state = useConnection((s) => s.connectivity?.state ?? "unknown");
  return <footer className={classes["status"]}>{state}</footer>;
}
