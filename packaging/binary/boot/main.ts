import { createRequire, enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { getAsset, getRawAsset } from 'node:sea';
import { zstdDecompressSync } from 'node:zlib';
import { UnusableCache, unpackForUser } from './place.ts';
import { type Contents, keepMarked } from './unpack.ts';

/*
 * The main script of the single executable. Native libraries must be files, so everything is
 * unpacked into the user's cache, once for each version, and started there.
 */

/** EX_CONFIG of sysexits.h: service managers do not start it again. */
const EXIT_CONFIGURATION = 78;

// Read when the pool of threads is first used.
process.env.UV_THREADPOOL_SIZE ??= '12';
const { version, hash, files } = JSON.parse(getAsset('contents.json', 'utf8')) as Omit<Contents, 'decompress'>;
const decompress = () => zstdDecompressSync(new Uint8Array(getRawAsset('files')));
try {
  start(unpackForUser({ version, hash, files, decompress }));
} catch (error) {
  if (!(error instanceof UnusableCache)) throw error;
  process.stderr.write(`agent-runtime: ${error.message}\n`);
  process.exitCode = EXIT_CONFIGURATION;
}

function start(directory: string): void {
  keepMarked(directory);
  // Worker threads read it from the environment.
  process.env.NODE_COMPILE_CACHE ??= join(directory, '.compiled');
  if (process.env.NODE_COMPILE_CACHE !== '') enableCompileCache(process.env.NODE_COMPILE_CACHE);
  const program = join(directory, 'bin', 'agent-runtime.js');
  process.argv[1] = program;
  createRequire(program)(program);
}
