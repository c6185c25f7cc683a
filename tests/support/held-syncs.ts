import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import type { TestContext } from 'node:test';

type Done = (error: NodeJS.ErrnoException | null) => void;

const SLOW_MS = 1;

/**
 * Syncs of this thread's logs take so long that each is handed over. After `hold` they wait until
 * the test ends them, well or with an error of the disk. Call it before what is closed after the
 * test.
 */
export function syncsOf(t: TestContext) {
  const held: { descriptor: number; done: Done }[] = [];
  const { fdatasync } = fs;
  const replace = (by: (descriptor: number, done: Done) => void) => {
    fs.fdatasync = by as typeof fs.fdatasync;
    syncBuiltinESMExports();
  };
  const end = () => {
    for (const { descriptor, done } of held.splice(0)) fdatasync(descriptor, done);
  };
  const release = () => {
    replace(fdatasync);
    end();
  };
  replace((descriptor, done) => setTimeout(() => fdatasync(descriptor, done), SLOW_MS));
  t.after(release);
  return {
    held,
    release,
    end,
    hold: () => replace((descriptor, done) => held.push({ descriptor, done })),
    fail: () => {
      for (const { done } of held.splice(0)) done(Object.assign(new Error('i/o error'), { code: 'EIO' }));
    },
  };
}
