import { createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type ZipAttributes, zipSync } from 'fflate';
import { packTar } from 'modern-tar/fs';
import { FIXED_DATE } from '../fixed-date.ts';

export interface ArchivedFile {
  name: string;
  /** Where it is now. */
  source: string;
  isExecutable?: boolean;
}

/** Writes a .zip or .tar.gz, by the name of its path. The same files give the same bytes. */
export async function writeArchive(path: string, files: readonly ArchivedFile[]): Promise<void> {
  if (path.endsWith('.zip')) writeFileSync(path, zip(files));
  else await writeTarGz(path, files);
}

async function writeTarGz(path: string, files: readonly ArchivedFile[]): Promise<void> {
  const modes = new Map(files.map((file) => [file.name, modeOf(file)]));
  const sources = files.map(({ name, source }) => ({ type: 'file' as const, source, target: name }));
  const owner = { uid: 0, gid: 0, uname: '', gname: '' };
  const tar = packTar(sources, {
    map: (header) => ({ ...header, ...owner, mode: modes.get(header.name)!, mtime: FIXED_DATE }),
  });
  await pipeline(tar, createGzip({ level: 9 }), createWriteStream(path));
}

function zip(files: readonly ArchivedFile[]): Uint8Array {
  const entries = files.map((file) => {
    const attributes: ZipAttributes = { os: 3, attrs: modeOf(file) << 16, mtime: localFixedDate() };
    return [file.name, [new Uint8Array(readFileSync(file.source)), attributes] as const] as const;
  });
  return zipSync(Object.fromEntries(entries) as Parameters<typeof zipSync>[0], { level: 9 });
}

/** A zip file has local times: these must not depend on the time zone. */
function localFixedDate(): Date {
  return new Date(FIXED_DATE.getUTCFullYear(), FIXED_DATE.getUTCMonth(), FIXED_DATE.getUTCDate());
}

function modeOf({ isExecutable }: ArchivedFile): number {
  return isExecutable ? 0o755 : 0o644;
}
