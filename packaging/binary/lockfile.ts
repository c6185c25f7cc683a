import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { unpackTar } from 'modern-tar/fs';
import { BUILD, ROOT } from '../paths.ts';

interface Locked {
  version: string;
  integrity: string;
}

const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>;
};

export function lockedVersion(name: string): string {
  return locked(name).version;
}

/**
 * The directory of a package of the lockfile: as installed, or, for another platform, downloaded
 * and checked against the lockfile's hash.
 */
export async function packageDirectory(name: string): Promise<string> {
  const installed = join(ROOT, 'node_modules', name);
  if (existsSync(join(installed, 'package.json'))) return installed;
  const { version } = locked(name);
  const directory = join(BUILD, 'packages', `${name.replace('/', '-').replace('@', '')}-${version}`);
  if (!existsSync(directory)) await download(name, directory);
  return directory;
}

function locked(name: string): Locked {
  const found = packages[`node_modules/${name}`];
  if (!found) throw new Error(`package-lock.json has no package ${name}.`);
  return found;
}

async function download(name: string, directory: string): Promise<void> {
  const { version, integrity } = locked(name);
  const temporary = `${directory}.${process.pid}`;
  mkdirSync(temporary, { recursive: true });
  try {
    const packed = npm(['pack', `${name}@${version}`, '--json', '--pack-destination', temporary]);
    const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
    const tarball = readFileSync(join(temporary, filename));
    const hash = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
    if (hash !== integrity) throw new Error(`${name} ${version} is not what package-lock.json has: ${hash}.`);
    const content = join(temporary, 'package');
    await pipeline([tarball], createGunzip(), unpackTar(content, { strip: 1 }));
    renameSync(content, directory);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Runs the npm that runs this script, or the one on the path. */
export function npm(args: string[], cwd = ROOT): string {
  const cli = process.env.npm_execpath;
  const [command, before] = cli ? [process.execPath, [cli]] : ['npm', []];
  return execFileSync(command, [...before, ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  });
}
