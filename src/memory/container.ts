import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The group of processes whose memory the system limits: a container, or a unit of systemd. */
export interface Container {
  /** Bytes. */
  limit: number;
  /** Bytes that the system cannot take back: without pages of files. */
  used(): number;
}

interface Version {
  limit: string;
  usage: string;
  /** Lines of `memory.stat`, of a group and those below it. */
  files: string;
  shared: string;
}

const SECOND: Version = { limit: 'memory.max', usage: 'memory.current', files: 'file', shared: 'shmem' };
const FIRST: Version = {
  limit: 'memory.limit_in_bytes',
  usage: 'memory.usage_in_bytes',
  files: 'total_cache',
  shared: 'total_shmem',
};

/** Null without a limit, and on systems other than Linux. */
export function findContainer(proc = '/proc/self'): Container | null {
  const groups = textOf(join(proc, 'cgroup')).split('\n');
  const mounts = textOf(join(proc, 'mountinfo')).split('\n').map(mountOf);
  const limited = mounts.flatMap((mount) => {
    const version = mount && versionOf(mount);
    if (!mount || !version) return [];
    const path = groups.map((line) => pathIn(line, version)).find((found) => found !== undefined);
    return path === undefined ? [] : limitsOf(mount, path, version);
  });
  return limited.reduce<Container | null>((least, one) => (least && least.limit <= one.limit ? least : one), null);
}

interface Mount {
  root: string;
  place: string;
  type: string;
  options: string[];
}

/** Fields of proc_pid_mountinfo(5); what follows ` - ` has a fixed order. */
function mountOf(line: string): Mount | null {
  const [before = '', after = ''] = line.split(' - ');
  const [, , , root, place] = before.split(' ');
  const [type, , options] = after.split(' ');
  if (!root || !place || !type) return null;
  return { root: unescaped(root), place: unescaped(place), type, options: options?.split(',') ?? [] };
}

const unescaped = (path: string) =>
  path.replace(/\\(\d{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));

function versionOf({ type, options }: Mount): Version | null {
  if (type === 'cgroup2') return SECOND;
  return type === 'cgroup' && options.includes('memory') ? FIRST : null;
}

/** A line is `0::/path` in version 2, `4:memory:/path` in version 1. */
function pathIn(line: string, version: Version): string | undefined {
  const [, controllers, path] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
  const wanted = version === SECOND ? controllers === '' : controllers?.split(',').includes('memory');
  return wanted ? path : undefined;
}

/** The limits of the group and of those above it, as far as they are mounted. */
function limitsOf({ root, place }: Mount, path: string, version: Version): Container[] {
  const below = relative(root, path);
  // In a namespace the mount begins at another group than the path.
  let directory = below.startsWith('..') ? place : join(place, below);
  const found: Container[] = [];
  for (;;) {
    const group = directory;
    const limit = numberIn(join(group, version.limit));
    if (limit !== null && limit < Number.MAX_SAFE_INTEGER) found.push({ limit, used: () => usedBy(group, version) });
    if (group === place || !group.startsWith(place)) return found;
    directory = dirname(group);
  }
}

function usedBy(group: string, version: Version): number {
  const stat = textOf(join(group, 'memory.stat'));
  const of = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(stat)?.[1] ?? 0);
  return (numberIn(join(group, version.usage)) ?? 0) - of(version.files) + of(version.shared) - of('slab_reclaimable');
}

/** Null for `max` and for a file that is missing. */
function numberIn(path: string): number | null {
  const text = textOf(path).trim();
  return /^\d+$/.test(text) ? Number(text) : null;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
