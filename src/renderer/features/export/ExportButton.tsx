export function ExportButton() {
  return null;
}
