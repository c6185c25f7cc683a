import { accessSync, constants, lstatSync, mkdirSync, readdirSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { giveTreeToOwner } from './disk.ts';
import { UnusableFile } from './unusable.ts';

const used = new Set<string>();
/** Faults of the place itself: they stay until somebody mends it. */
const PLACE_FAULTS = new Set(['EACCES', 'EPERM', 'EROFS', 'EEXIST', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']);
const ELSEWHERE = 'name another directory with --data-dir';

/**
 * Files that root makes in the directory of another user belong to that user once this process
 * ends. Throws an UnusableFile for a directory in which this user cannot work or others may put
 * links.
 */
export function makeDataDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw PLACE_FAULTS.has((cause as NodeJS.ErrnoException).code ?? '') ? unusable(path, cause) : cause;
  }
  refuseForeignLinks(path);
  if (used.size === 0) process.once('exit', () => used.forEach(giveTreeToOwner));
  used.add(path);
}

/**
 * The engines open files by name and follow links. Throws an UnusableFile where another user has
 * made one, or may. Call it before files of the directory are opened.
 */
export function refuseForeignLinks(directory: string): void {
  // Windows has no user ids.
  if (process.geteuid === undefined) return;
  const owner = statSync(directory);
  if (!isTrusted(owner) && isOpenToOthers(owner)) {
    const problem = `belongs to ${userOf(owner.uid)}, and others may write there, who could put links in the place of files`;
    const remedy = `If that is the service's user, \`chmod go-w ${directory}\` mends it; else ${chown(directory)}, or ${ELSEWHERE}.`;
    throw new UnusableFile(directory, `${problem}. ${remedy}`);
  }
  refuseForeignLink(directory, lstatSync(directory));
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats) refuseForeignLink(path, stats, owner);
  }
}

function refuseForeignLink(path: string, stats: Stats, directory = stats): void {
  const isHardLink = stats.isFile() && stats.nlink > 1 && !isTrusted(directory) && stats.uid !== directory.uid;
  if (!isHardLink && (!stats.isSymbolicLink() || isTrusted(stats))) return;
  const whose = isHardLink ? userOf(directory.uid) : userOf(stats.uid);
  throw new UnusableFile(path, `is a link that ${whose} has made. Put the file in its place, or remove the link.`);
}

/** In words: who owns a place or the nearest directory above it, and who runs. */
export function ownersOf(path: string): string {
  const [place, { uid, mode }] = nearest(path);
  const shown = (mode & 0o7777).toString(8).padStart(4, '0');
  return `${place} belongs to ${userOf(uid)} with mode ${shown}; this process runs as ${userOf(process.geteuid?.() ?? 0)}`;
}

function unusable(path: string, cause: unknown): UnusableFile {
  const { code } = cause as NodeJS.ErrnoException;
  const fault = (what: string) => new UnusableFile(path, what, { cause });
  if (code === 'EROFS') return fault(`is on a read-only file system. Make it writable, or ${ELSEWHERE}.`);
  const [place, stats] = nearest(path);
  if (!stats.isDirectory()) {
    return fault(`cannot be used: ${place} is not a directory. Move it aside, or ${ELSEWHERE}.`);
  }
  if (code !== 'EACCES' && code !== 'EPERM') return fault(`cannot be made (${code}): ${ELSEWHERE}.`);
  const remedy = place === path ? chown(path) : `\`mkdir -p ${path}\` and ${chown(path)}`;
  return fault(`cannot be used: ${ownersOf(path)}. As root, ${remedy} (for a container, on what is mounted there).`);
}

function nearest(path: string): [place: string, stats: Stats] {
  try {
    return [path, statSync(path)];
  } catch (error) {
    if (path === dirname(path)) throw error;
    return nearest(dirname(path));
  }
}

function chown(path: string): string {
  return `\`chown -R ${process.geteuid?.()}:${process.getegid?.()} ${path}\``;
}

/** A user need not have a name. */
function userOf(uid: number): string {
  return uid === 0 ? 'root' : `user ${uid}`;
}

function isTrusted({ uid }: Stats): boolean {
  return uid === 0 || uid === process.geteuid?.();
}

/**
 * Not through the owner's own group by convention, nor through a group of this process, of a volume
 * for example.
 */
function isOpenToOthers({ mode, uid, gid }: Stats): boolean {
  if ((mode & 0o002) !== 0) return true;
  return (mode & 0o020) !== 0 && gid !== uid && ![process.getegid?.(), ...(process.getgroups?.() ?? [])].includes(gid);
}
