import { statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { packTar } from 'modern-tar/fs';
import { PROGRAM } from '../core/base/shared/program.ts';
import { storedFiles } from './files.ts';
import type { Inspected } from './inspect.ts';
import { FORMAT, MANIFEST_FILE, type Manifest } from './manifest.ts';
import type { BackupTarget } from './places.ts';
import { encrypterFor, type Sealing, sealed } from './sealing.ts';

/** The engines compress their pages: a higher level gains a few percent only. */
const GZIP_LEVEL = 1;

export interface PackOptions {
  /** A consistent copy of the stores. */
  directory: string;
  target: BackupTarget;
  createdAt: number;
  inspected: Inspected;
  /** By file name. */
  secrets: Map<string, Buffer>;
  sealing: Sealing;
  onProgress: (packed: number) => void;
}

/** `bytes`: the size of the archive. Throws `invalid` for a malformed recipient. */
export async function pack(options: PackOptions): Promise<{ manifest: Manifest; bytes: number }> {
  const { directory, target, createdAt, inspected, secrets, sealing, onProgress } = options;
  const files = storedFiles(directory).map((name) => ({ name, size: statSync(join(directory, name)).size }));
  const manifest: Manifest = {
    format: FORMAT,
    program: PROGRAM,
    createdAt: new Date(createdAt).toISOString(),
    events: inspected.events,
    schema: inspected.schema,
    entries: [...[...secrets].map(([name, { length }]) => ({ name, size: length })), ...files],
  };
  const encrypter = await encrypterFor(sealing);
  const bytes = await target.write(async (output) => {
    const tar = packTar([
      { type: 'content', target: MANIFEST_FILE, content: JSON.stringify(manifest, null, 2), mode: 0o600 },
      ...[...secrets].map(([name, content]) => ({ type: 'content' as const, target: name, content, mode: 0o600 })),
      ...files.map(({ name }) => ({
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
    await Promise.all([pipeline(tar, gzip), pipeline(await sealed(gzip, encrypter), output)]);
  });
  return { manifest, bytes };
}
