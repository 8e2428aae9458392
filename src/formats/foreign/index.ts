export { changed, type ForeignFile, noFile, openLocal } from "./file.ts";
export { createLocalScratch, type Scratch, useScratch } from "./scratch.ts";
