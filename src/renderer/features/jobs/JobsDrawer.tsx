export function JobsDrawer() {
  return null;
}
