import { createHash } from 'node:crypto';
import { createReadStream, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Encrypter } from 'age-encryption';
import { packTar } from 'modern-tar/fs';
import { PROGRAM } from '../core/base/shared/program.ts';
import { MAC_FILE, macOf } from './authentication.ts';
import { type Encryption, encrypted, encrypterFor } from './encryption.ts';
import { sealedName, storedFiles } from './files.ts';
import type { Inspected } from './inspect.ts';
import { FORMAT, MANIFEST_FILE, type Manifest, type ManifestEntry } from './manifest.ts';
import type { BackupTarget } from './places.ts';

/** The engines compress their pages: a higher level gains a few percent only. */
const GZIP_LEVEL = 1;
/** Of what cannot be compressed, with tar, gzip and encryption around it. */
const MAX_GROWTH = 1.01;
const MANIFEST_BYTES = 4 * 1024 ** 2;

export interface PackOptions {
  directory: string;
  target: BackupTarget;
  createdAt: number;
  inspected: Inspected;
  /** By file name. */
  sealedSecrets: Map<string, string>;
  keys: { installation: Uint8Array; passphrase?: string | undefined };
  encryption?: Encryption | undefined;
  onProgress: (packed: number) => void;
}

export function sizeOfCopy(directory: string): number {
  return storedFiles(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
}

/** `bytes`: the size of the archive. */
export async function pack(options: PackOptions): Promise<{ manifest: Manifest; bytes: number }> {
  const { directory, target, createdAt, sealedSecrets } = options;
  const { events, schema } = options.inspected;
  for (const [name, sealed] of sealedSecrets) writeFileSync(join(directory, sealedName(name)), sealed, { mode: 0o600 });
  // Secrets first: a restore with a wrong passphrase fails early.
  const names = [...[...sealedSecrets.keys()].map(sealedName), ...storedFiles(directory)];
  const entries: ManifestEntry[] = [];
  for (const name of names) entries.push(await describe(directory, name));
  const manifest: Manifest = {
    format: FORMAT,
    program: PROGRAM,
    createdAt: new Date(createdAt).toISOString(),
    events,
    schema,
    entries,
  };
  // A malformed recipient fails before anything is written.
  const encrypter = options.encryption && encrypterFor(options.encryption);
  const atMost = Math.ceil(sizeOfCopy(directory) * MAX_GROWTH) + MANIFEST_BYTES;
  const bytes = await target.write((output) => writeArchive(options, manifest, encrypter, output), atMost);
  return { manifest, bytes };
}

async function writeArchive(
  { directory, keys, onProgress }: PackOptions,
  manifest: Manifest,
  encrypter: Encrypter | undefined,
  output: Writable,
): Promise<void> {
  const text = JSON.stringify(manifest, null, 2);
  const tar = packTar([
    { type: 'content', target: MANIFEST_FILE, content: text, mode: 0o600 },
    { type: 'content', target: MAC_FILE, content: macOf(text, keys), mode: 0o600 },
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
    onProgress(packed);
  });
  const gzip = createGzip({ level: GZIP_LEVEL });
  if (!encrypter) return pipeline(tar, gzip, output);
  await Promise.all([pipeline(tar, gzip), pipeline(await encrypted(gzip, encrypter), output)]);
}

async function describe(directory: string, name: string): Promise<ManifestEntry> {
  const path = join(directory, name);
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash);
  return { name, size: statSync(path).size, sha256: hash.digest('hex') };
}
