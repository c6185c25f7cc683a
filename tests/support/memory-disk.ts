import { statfsSync } from 'node:fs';

/*
 * Temporary directories of tests lie in memory where the system offers enough of it (Linux): what the suite waits for most is
 * fsync. `npm run test:unit` loads this before each test file; a TMPDIR that is set stays.
 */
const MEMORY_DISK = '/dev/shm';
const NEEDED_BYTES = 4 * 1024 ** 3;

function freeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

if (freeBytes(MEMORY_DISK) >= NEEDED_BYTES) process.env.TMPDIR ??= MEMORY_DISK;
