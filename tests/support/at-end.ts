import { after } from 'node:test';

const ends: (() => unknown)[] = [];

/**
 * Of what all files of a process share: runs after the last test of the last one. A test file must load this module itself:
 * loaded by a test, its hook would be that of the test.
 */
export function atEnd(end: () => unknown): void {
  ends.push(end);
}

after(async () => {
  while (ends.length > 0) await ends.pop()!();
});
