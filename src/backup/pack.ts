import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { packTar } from 'modern-tar/fs';
import { PROGRAM } from '../program.ts';
import { noRoomIn, syncDirectory } from '../storage/disk.ts';
import { sealedName, storedFiles } from './files.ts';
import type { Inspected } from './inspect.ts';
import { FORMAT, MANIFEST_FILE, type Manifest, type ManifestEntry } from './manifest.ts';

/** The engines compress their pages themselves: more effort gains a few percent and takes several times as long. */
const GZIP_LEVEL = 1;

export interface PackOptions {
  /** The staged copy. */
  directory: string;
  file: string;
  /** Epoch milliseconds. */
  createdAt: number;
  inspected: Inspected;
  /** The sealed texts of the secret files that go in, by name (see `SECRET_FILES`). */
  sealedSecrets: ReadonlyMap<string, string>;
  /** How much of the copy is packed, in bytes. */
  onProgress: (packed: number) => void;
}

/** How much there is to pack, in bytes. */
export function sizeOfCopy(directory: string): number {
  return storedFiles(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
}

/** Packs a staged copy into one file, which has its name only once it is whole and on disk. Memory stays constant. */
export async function pack(options: PackOptions): Promise<Manifest> {
  const { directory, file, createdAt, inspected, sealedSecrets, onProgress } = options;
  for (const [name, text] of sealedSecrets) writeFileSync(join(directory, sealedName(name)), text, { mode: 0o600 });
  // What a wrong passphrase shows at once comes before what takes long.
  const names = [...[...sealedSecrets.keys()].map(sealedName), ...storedFiles(directory)];
  const entries: ManifestEntry[] = [];
  for (const name of names) entries.push(await describe(directory, name));
  const manifest: Manifest = {
    format: FORMAT,
    program: PROGRAM,
    createdAt: new Date(createdAt).toISOString(),
    ...inspected,
    entries,
  };
  const partial = `${file}.partial`;
  try {
    await writeArchive(directory, manifest, partial, onProgress);
    renameSync(partial, file);
    syncDirectory(dirname(file));
  } catch (error) {
    rmSync(partial, { force: true });
    throw noRoomIn(file, error);
  }
  return manifest;
}

async function writeArchive(
  directory: string,
  manifest: Manifest,
  path: string,
  onPacked: (bytes: number) => void,
): Promise<void> {
  const tar = packTar([
    { type: 'content', target: MANIFEST_FILE, content: JSON.stringify(manifest, null, 2), mode: 0o600 },
    ...manifest.entries.map(({ name }) => ({
      type: 'file' as const,
      source: join(directory, name),
      target: name,
      mode: 0o600,
    })),
  ]);
  let packed = 0;
  tar.on('data', (chunk: Buffer) => {
    packed += chunk.length;
    onPacked(packed);
  });
  await pipeline(tar, createGzip({ level: GZIP_LEVEL }), createWriteStream(path, { mode: 0o600, flush: true }));
}

async function describe(directory: string, name: string): Promise<ManifestEntry> {
  const path = join(directory, name);
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash);
  return { name, size: statSync(path).size, sha256: hash.digest('hex') };
}
