import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { RuntimeError } from '../core/base/shared/errors.ts';
import { syncDirectory } from '../storage/installation/disk.ts';
import { isInstalled } from '../storage/installation/installation.ts';
import { SECRET_FILES } from '../storage/installation/names.ts';
import { UnusableFile } from '../storage/installation/unusable.ts';
import { storedFiles } from './files.ts';

/* Renaming the staging directory commits. Its plan is idempotent: a later owner can finish it. */

const STAGING = 'restore-staging';
const READY = 'restore-ready';
const PLAN_FILE = 'plan.json';
const NEW = 'new';

interface Plan {
  old: string[];
  movedTo: string;
}

export type Rename = (from: string, to: string) => void;

/** Returns an empty directory within the data directory. */
export function stageRestore(dataDir: string): string {
  const staging = join(dataDir, STAGING);
  rmSync(staging, { recursive: true, force: true });
  // Not recursive, so that a link that another user has put there is refused.
  for (const directory of [staging, join(staging, NEW)]) mkdirSync(directory, { mode: 0o700 });
  return join(staging, NEW);
}

export function discardRestore(dataDir: string): void {
  rmSync(join(dataDir, STAGING), { recursive: true, force: true });
}

/** Returns the directory of the replaced files, if any. For the owner only. */
export function replaceWithStaged(dataDir: string, now: number, rename: Rename = renameSync): string | null {
  const staging = join(dataDir, STAGING);
  const isReplaced = (name: string) =>
    [join(staging, NEW), dataDir].every((directory) => existsSync(join(directory, name)));
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

/** Finishes a committed restore and removes an uncommitted one. For the owner only. */
export function finishRestore(dataDir: string, rename: Rename = renameSync): string | null {
  discardRestore(dataDir);
  const ready = join(dataDir, READY);
  if (!existsSync(ready)) return null;
  let before: string | null = null;
  // The plan goes first: without it, nothing is left to do.
  if (existsSync(join(ready, PLAN_FILE))) {
    const { old, movedTo } = readPlan(join(ready, PLAN_FILE));
    if (old.length > 0) before = join(dataDir, movedTo);
    if (before !== null) {
      // Old files move before any new file, so a repeated run moves no new file aside.
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

/** Root may run it in the directory of another user, who could have written the plan. */
function readPlan(path: string): Plan {
  try {
    const plan = JSON.parse(readFileSync(path, 'utf8')) as Plan;
    const names = [plan.movedTo, ...plan.old];
    if (names.every((name) => name === basename(name) && !name.startsWith('.'))) return plan;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new UnusableFile(path, 'is not the plan of a restore. Remove it, and restore again.');
}

/**
 * Throws where a restore was cut off that was to make this installation: a start would make an
 * empty one.
 */
export function refuseCutOff(dataDir: string): void {
  const staging = join(dataDir, STAGING);
  if (!existsSync(staging) || existsSync(join(dataDir, READY)) || isInstalled(dataDir)) return;
  throw new UnusableFile(
    staging,
    `is of a restore that was cut off, or still runs: there is no installation in ${dataDir} yet. Repeat the \`restore\`; or remove ${STAGING} to begin with an empty workspace.`,
  );
}

/** Throws while a restore is half done: opening the state would create a new one. */
export function refuseHalfRestored(dataDir: string): void {
  refuseCutOff(dataDir);
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
