import { createReadStream, mkdirSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createGunzip } from 'node:zlib';
import { unpackTar } from 'modern-tar/fs';
import { newDataDirectory } from './process.ts';

/**
 * A data directory that an earlier version has left, killed right after it accepted its last event.
 * Its `first-run.txt` has the full key alone.
 */
export async function dataDirectoryOf(t: TestContext, version: '0.2'): Promise<string> {
  const dataDir = newDataDirectory(t);
  mkdirSync(dataDir, { mode: 0o700 });
  const packed = fileURLToPath(new URL(`../fixtures/data-${version}.tar.gz`, import.meta.url));
  await pipeline(createReadStream(packed), createGunzip(), unpackTar(dataDir));
  return dataDir;
}
