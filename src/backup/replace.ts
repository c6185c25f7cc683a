import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RuntimeError } from '../core/shared/errors.ts';
import { syncDirectory } from '../storage/files/disk.ts';
import { SECRET_FILES } from '../storage/files/names.ts';
import { storedFiles } from './files.ts';

/*
 * Several files cannot change places at once. So the new ones are made ready in a directory beside them, with a plan of
 * what goes where, and the renaming of that directory decides: before it the old state is complete, after it the plan is
 * carried out, by this process or by whoever next owns the data directory. Each step is repeatable.
 */

const STAGING = 'restore-staging';
const READY = 'restore-ready';
const PLAN_FILE = 'plan.json';
const NEW = 'new';

interface Plan {
  /** What makes room, by name. */
  old: string[];
  /** Where it goes, a name in the data directory. */
  movedTo: string;
}

/** How files move; a test may have it fail. */
export type Rename = (from: string, to: string) => void;

/** An empty directory for the new files, inside the data directory. What an earlier attempt left in it is gone. */
export function stageRestore(dataDir: string): string {
  const staging = join(dataDir, STAGING);
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(join(staging, NEW), { recursive: true, mode: 0o700 });
  return join(staging, NEW);
}

export function discardRestore(dataDir: string): void {
  rmSync(join(dataDir, STAGING), { recursive: true, force: true });
}

/**
 * Puts the staged files in the place of those that are there, which are moved to `before-restore-<time>`. Returns where
 * they are, or null when there were none. Only the owner of the data directory may.
 */
export function replaceWithStaged(dataDir: string, now: number, rename: Rename = renameSync): string | null {
  const staging = join(dataDir, STAGING);
  const isReplaced = (name: string) => [join(staging, NEW), dataDir].every((place) => existsSync(join(place, name)));
  const plan: Plan = {
    old: [...storedFiles(dataDir), ...SECRET_FILES.filter(isReplaced)],
    movedTo: `before-restore-${new Date(now).toISOString().replaceAll(':', '')}`,
  };
  writeFileSync(join(staging, PLAN_FILE), JSON.stringify(plan), { mode: 0o600, flush: true });
  for (const directory of [join(staging, NEW), staging]) syncDirectory(directory);
  rename(staging, join(dataDir, READY));
  syncDirectory(dataDir);
  return finishRestore(dataDir, rename);
}

/** Carries out what a restore has decided, if one has, and clears away what was staged. Only the owner may. */
export function finishRestore(dataDir: string, rename: Rename = renameSync): string | null {
  discardRestore(dataDir);
  const ready = join(dataDir, READY);
  if (!existsSync(ready)) return null;
  let before: string | null = null;
  // The plan goes first when all is done: without it, nothing is left to do.
  if (existsSync(join(ready, PLAN_FILE))) {
    const { old, movedTo } = JSON.parse(readFileSync(join(ready, PLAN_FILE), 'utf8')) as Plan;
    if (old.length > 0) before = join(dataDir, movedTo);
    if (before !== null) {
      // Nothing new comes before everything old is gone: what was moved once is not there to be moved again.
      const moved = before;
      const left = old.filter((name) => !existsSync(join(moved, name)) && existsSync(join(dataDir, name)));
      moveAll(left, dataDir, before, rename);
    }
    moveAll(readdirSync(join(ready, NEW)), join(ready, NEW), dataDir, rename);
    rmSync(join(ready, PLAN_FILE));
  }
  rmSync(ready, { recursive: true });
  syncDirectory(dataDir);
  return before;
}

/** Throws while a restore is half done: the state would be made anew, beside what is about to come. */
export function refuseHalfRestored(dataDir: string): void {
  if (!existsSync(join(dataDir, READY))) return;
  const message = `${dataDir} is being restored from a backup. Try again; if the restore was cut off, start \`serve\` or \`mcp\`, or run \`restore\` again: each finishes it.`;
  throw new RuntimeError('unavailable', message);
}

function moveAll(names: string[], from: string, to: string, rename: Rename): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const name of names) rename(join(from, name), join(to, name));
  syncDirectory(to);
  syncDirectory(from);
}
