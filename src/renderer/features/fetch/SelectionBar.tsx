export function SelectionBar() {
  return null;
}
