import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { filesIn } from '../binary/files.ts';
import { BUILD, ROOT } from '../paths.ts';
import { buildPortal } from './portal.ts';

/*
 * `node packaging/portal/build.ts`: writes `build/portal`, unless it is newer than its sources. A
 * server of a checkout runs it with the first request for a page.
 */

const OUT = join(BUILD, 'portal');
const STAMP = join(OUT, '.built');
const LOCK = join(BUILD, 'portal.lock');
const SOURCES = ['portal', 'src/charts', 'packaging/portal', 'clients/typescript/api.d.ts', 'package-lock.json'];
const LOCK_MS = 120_000;

function changedAt(path: string): number {
  const { mtimeMs } = statSync(path);
  if (!statSync(path).isDirectory()) return mtimeMs;
  return Math.max(mtimeMs, ...filesIn(path).map((file) => statSync(join(path, file)).mtimeMs));
}

function isCurrent(): boolean {
  if (!existsSync(STAMP)) return false;
  return statSync(STAMP).mtimeMs > Math.max(...SOURCES.map((path) => changedAt(join(ROOT, path))));
}

/** Several servers may start at once: one builds, the others wait for it. */
async function withLock(run: () => Promise<void>): Promise<void> {
  mkdirSync(BUILD, { recursive: true });
  for (;;) {
    try {
      mkdirSync(LOCK);
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const { mtimeMs } = statSync(LOCK, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
      if (Date.now() - mtimeMs > LOCK_MS) rmSync(LOCK, { recursive: true, force: true });
      else await wait(100);
    }
  }
  try {
    await run();
  } finally {
    rmdirSync(LOCK);
  }
}

await withLock(async () => {
  if (isCurrent()) return;
  const fresh = join(BUILD, `portal-${process.pid}`);
  const begun = new Date();
  await buildPortal(fresh);
  writeFileSync(join(fresh, '.built'), `${readdirSync(fresh).length}\n`);
  rmSync(OUT, { recursive: true, force: true });
  renameSync(fresh, OUT);
  process.stderr.write(`The portal was built in ${Date.now() - begun.getTime()} ms.\n`);
});
