export function TimeRange() {
  return null;
}
