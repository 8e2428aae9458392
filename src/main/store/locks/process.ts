export { isAlive } from "#formats/owner.ts";
