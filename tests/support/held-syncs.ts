import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import type { TestContext } from 'node:test';

type Done = (error: NodeJS.ErrnoException | null) => void;

/**
 * After `hold`, syncs of this thread's logs wait until the test ends them, well or with an error of
 * the disk. Call it before what is closed after the test.
 */
export function syncsOf(t: TestContext) {
  const held: { descriptor: number; done: Done }[] = [];
  const { fdatasync } = fs;
  const release = () => {
    fs.fdatasync = fdatasync;
    syncBuiltinESMExports();
    for (const { descriptor, done } of held.splice(0)) fdatasync(descriptor, done);
  };
  t.after(release);
  return {
    held,
    release,
    hold: () => {
      fs.fdatasync = ((descriptor: number, done: Done) => {
        held.push({ descriptor, done });
      }) as typeof fs.fdatasync;
      syncBuiltinESMExports();
    },
    end: () => {
      for (const { descriptor, done } of held.splice(0)) fdatasync(descriptor, done);
    },
    fail: () => {
      for (const { done } of held.splice(0)) done(Object.assign(new Error('i/o error'), { code: 'EIO' }));
    },
  };
}
