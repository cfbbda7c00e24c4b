import { expect, test } from "vitest";
import { changelogWithRelease, notesOfRelease, refuseVersion } from "./changelog.ts";

const CHANGELOG = `# Changelog

## [Unreleased]

### Added

- Calls can be listened to.

## [0.1.0] - 2026-01-01

- First release.
`;

test("a release takes over the unreleased changes and leaves an empty section for the next ones", () => {
  expect(changelogWithRelease(CHANGELOG, "0.2.0", "2026-02-03")).toBe(`# Changelog

## [Unreleased]

## [0.2.0] - 2026-02-03

### Added

- Calls can be listened to.

## [0.1.0] - 2026-01-01

- First release.
`);
});

test("a changelog without unreleased changes cannot be released", () => {
  const released = changelogWithRelease(CHANGELOG, "0.2.0", "2026-02-03") ?? "";
  expect(changelogWithRelease(released, "0.3.0", "2026-02-04")).toBeNull();
});

test("the notes of a release are its own section and nothing of its neighbors", () => {
  const released = changelogWithRelease(CHANGELOG, "0.2.0", "2026-02-03") ?? "";
  expect(notesOfRelease(released, "0.2.0")).toBe("### Added\n\n- Calls can be listened to.");
  expect(notesOfRelease(released, "0.1.0")).toBe("- First release.");
  expect(notesOfRelease(released, "0.9.0")).toBeNull();
});

test.each([
  ["0.1.1", "0.1.0"],
  ["0.2.0", "0.1.9"],
  ["1.0.0", "0.12.30"],
])("%s can be released after %s", (version, current) => {
  expect(refuseVersion(version, current)).toBeNull();
});

test.each([
  ["0.1.0", "0.1.0"],
  ["0.1.9", "0.2.0"],
  ["v0.3.0", "0.2.0"],
  ["0.3", "0.2.0"],
])("%s cannot be released after %s", (version, current) => {
  expect(refuseVersion(version, current)).toMatch(/^\S.*\.$/);
});
