import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FileLock } from '../../src/storage/sqlite/lock.ts';
import { filesIn } from '../binary/files.ts';
import { BUILD, ROOT } from '../paths.ts';
import { buildPortal } from './portal.ts';
import { buildReference } from './reference.ts';

/*
 * `node packaging/portal/build.ts [portal | reference]...`: builds the named parts, or both, into `build`, unless they are
 * newer than their sources. In a checkout the server runs it at the first request for a page.
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
async function withLock(path: string, run: () => Promise<void>): Promise<void> {
  const lock = new FileLock(path);
  try {
    if (!(await lock.acquire(LOCK_MS))) throw new Error('another build is still running after two minutes');
    await run();
  } finally {
    lock.close();
  }
}

/** Removes the directories of interrupted builds. */
function removeLeftovers(part: Part): void {
  for (const name of readdirSync(BUILD)) {
    if (new RegExp(`^${part}-\\d+$`).test(name)) rmSync(join(BUILD, name), { recursive: true, force: true });
  }
}

async function make(part: Part): Promise<void> {
  const directory = join(BUILD, part);
  mkdirSync(BUILD, { recursive: true });
  await withLock(`${directory}-build.lock`, async () => {
    removeLeftovers(part);
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
