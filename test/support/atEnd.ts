import { afterAll, onTestFinished, TestRunner } from "vitest";

/** Does this after the test that runs, or if none runs after the tests of the file or suite. Not for use in `beforeAll`. */
export function atEnd(end: () => unknown): void {
  const register = TestRunner.getCurrentTest() === undefined ? afterAll : onTestFinished;
  register(async () => void (await end()));
}
