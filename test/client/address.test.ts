import { expect, it } from "vitest";
import { readBaseUrl } from "#main/client/http/baseUrl.ts";

function said(typed: string): string | null {
  const read = readBaseUrl(typed);
  return read.ok ? null : read.error;
}

it("an address without a scheme is not guessed, and refused with the address to enter", () => {
  expect(said("api.service.org/v1")).toBe(
    "The address “api.service.org/v1” has no https:// in front. Enter it as https://api.service.org/v1.",
  );
  // This computer has no certificate, and the key does not leave it.
  for (const typed of ["127.0.0.1:8470", "localhost:8470"]) expect(said(typed)).toMatch(`Enter it as http://${typed}.`);
  expect(said("not an address")).toMatch("Enter it as https://service.example.org.");
});
