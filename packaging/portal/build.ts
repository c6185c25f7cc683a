import { existsSync, mkdirSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { filesIn } from '../binary/files.ts';
import { BUILD, ROOT } from '../paths.ts';
import { buildPortal } from './portal.ts';
import { buildReference } from './reference.ts';

/*
 * `node packaging/portal/build.ts [portal | reference]...`: writes what is named, or both, to `build`, unless it is newer
 * than its sources. A server of a checkout runs it with the first request for a page.
 */

const PARTS = { portal: buildPortal, reference: buildReference };
type Part = keyof typeof PARTS;

const SOURCES = ['portal', 'src/charts', 'packaging/portal', 'clients/typescript/api.d.ts', 'package-lock.json'];
const STAMP = '.built';
const LOCK_MS = 120_000;

function changedAt(path: string): number {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...filesIn(path).map((file) => statSync(join(path, file)).mtimeMs));
}

function isCurrent(directory: string): boolean {
  const stamp = join(directory, STAMP);
  return existsSync(stamp) && statSync(stamp).mtimeMs > Math.max(...SOURCES.map((path) => changedAt(join(ROOT, path))));
}

/** Several servers may start at once: one builds, the others wait for it. */
async function withLock(lock: string, run: () => Promise<void>): Promise<void> {
  mkdirSync(BUILD, { recursive: true });
  while (!isMade(lock)) {
    const made = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - made > LOCK_MS) rmSync(lock, { recursive: true, force: true });
    else await wait(100);
  }
  try {
    await run();
  } finally {
    rmdirSync(lock);
  }
}

/** False if another process has made it. */
function isMade(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function make(part: Part): Promise<void> {
  const directory = join(BUILD, part);
  await withLock(`${directory}.lock`, async () => {
    if (isCurrent(directory)) return;
    const fresh = `${directory}-${process.pid}`;
    await PARTS[part](fresh);
    writeFileSync(join(fresh, STAMP), '');
    rmSync(directory, { recursive: true, force: true });
    renameSync(fresh, directory);
  });
}

const asked = process.argv.slice(2);
for (const part of Object.keys(PARTS) as Part[]) if (asked.length === 0 || asked.includes(part)) await make(part);
