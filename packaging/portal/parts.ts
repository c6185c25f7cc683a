import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { FileLock } from '../../src/storage/state/sqlite/lock.ts';
import { filesIn } from '../binary/files.ts';
import { BUILD, ROOT } from '../paths.ts';
import { buildPortal } from './portal.ts';
import { buildReference } from './reference.ts';

const PARTS = { portal: buildPortal, reference: buildReference };
export type Part = keyof typeof PARTS;

export interface BuiltPart {
  directory: string;
  /** The bundled source files, relative to the repository. */
  sources: string[];
}

const SOURCES = [
  ...['portal', 'src/charts', 'src/language', 'docs', 'packaging/portal'],
  ...['clients/typescript/api.d.ts', 'package-lock.json'],
];
/** Written last; lists the bundled source files. */
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

/** Builds a part of the pages into `build`, unless it is newer than its sources. */
export async function builtPart(part: Part): Promise<BuiltPart> {
  const directory = join(BUILD, part);
  mkdirSync(BUILD, { recursive: true });
  await withLock(`${directory}-build.lock`, async () => {
    removeLeftovers(part);
    if (isCurrent(directory)) return;
    const fresh = `${directory}-${process.pid}`;
    writeFileSync(join(fresh, STAMP), JSON.stringify(await PARTS[part](fresh)));
    rmSync(directory, { recursive: true, force: true });
    renameSync(fresh, directory);
  });
  return { directory, sources: JSON.parse(readFileSync(join(directory, STAMP), 'utf8')) };
}

/** Builds a part and copies it. Resolves with its bundled source files. */
export async function copyPart(part: Part, to: string): Promise<string[]> {
  const { directory, sources } = await builtPart(part);
  cpSync(directory, to, { recursive: true, filter: (path) => basename(path) !== STAMP });
  return sources;
}
