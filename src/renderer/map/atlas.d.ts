// Declared by exact name; otherwise TypeScript would infer a type for every coordinate in these files.
declare module "world-atlas/countries-110m.json" {
  const topology: unknown;
  export default topology;
}
declare module "world-atlas/countries-50m.json" {
  const topology: unknown;
  export default topology;
}
