import { createWriteStream, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Transform, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { createGunzip } from 'node:zlib';
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar';
import { RuntimeError } from '../core/base/shared/errors.ts';
import { PROGRAM } from '../core/base/shared/program.ts';
import { diskFullError } from '../storage/installation/disk.ts';
import { ageOf } from './inspect.ts';
import { FORMAT, formatSchema, MANIFEST_FILE, MAX_MANIFEST_BYTES, type Manifest, manifestSchema } from './manifest.ts';
import type { BackupSource } from './places.ts';
import { examined, type OpeningKeys, opened } from './sealing.ts';

export interface UnpackOptions {
  source: BackupSource;
  /** Empty; null to verify only. */
  directory: string | null;
  keys: OpeningKeys;
  onProgress: (read: number) => void;
}

/** Memory is constant. Throws `unprocessable` for a bad file, `unavailable` for a full disk. */
export async function unpack(options: UnpackOptions): Promise<Manifest> {
  const { source, directory } = options;
  let entries: AsyncIterator<ParsedTarEntry> | undefined;
  try {
    entries = (await readEntries(options))[Symbol.asyncIterator]();
    const first = await entries.next();
    if (first.done || first.value.header.name !== MANIFEST_FILE) throw noBackup(source.name);
    const manifest = await readManifest(source.name, first.value);
    if (directory !== null) refuseWithoutSpace(directory, manifest);
    const missing = new Map(manifest.entries.map(({ name, size }) => [name, size]));
    for (let next = await entries.next(); !next.done; next = await entries.next()) {
      const { header, body } = next.value;
      // Free space was checked for the sizes in the manifest.
      if (missing.get(header.name) !== header.size) throw noBackup(source.name);
      await writeEntry(body as ReadableStream<Uint8Array>, directory === null ? null : join(directory, header.name));
      missing.delete(header.name);
    }
    if (missing.size > 0) throw damaged(source.name);
    return manifest;
  } catch (error) {
    throw explain(options, error);
  } finally {
    // The error is already thrown.
    await entries?.return?.().catch(() => undefined);
  }
}

async function readEntries({ source, keys, onProgress }: UnpackOptions): Promise<ReadableStream<ParsedTarEntry>> {
  const { by, content } = await examined(source.read());
  if (by === null) {
    content.destroy();
    throw noBackup(source.name);
  }
  let read = 0;
  const counted = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      read += chunk.length;
      onProgress(read);
      done(null, chunk);
    },
  });
  // The reader of the entries gets the error.
  pipeline(content, counted).catch(() => undefined);
  const tar = createGunzip();
  const plain = await opened(counted, keys);
  if (plain === null) {
    content.destroy();
    throw badBackup(source.name, by === 'passphrase' ? NEEDS_PASSPHRASE : NEEDS_KEY);
  }
  pipeline(plain, tar).catch(() => undefined);
  return (Readable.toWeb(tar) as ReadableStream<Uint8Array>).pipeThrough(
    createTarDecoder({ strict: true }) as unknown as {
      readable: ReadableStream<ParsedTarEntry>;
      writable: WritableStream<Uint8Array>;
    },
  );
}

const NEEDS_PASSPHRASE =
  'is sealed with a passphrase, and does not open with what was given: give its passphrase (--passphrase, --passphrase-file or AGENT_RUNTIME_BACKUP_PASSPHRASE).';
const NEEDS_KEY =
  'does not open with the keys that are here: set AGENT_RUNTIME_SECRET_KEY as the installation that made it has it, or give its secret.key or the identity of a recipient (--identity FILE).';

async function readManifest(file: string, { header, body }: ParsedTarEntry): Promise<Manifest> {
  if (header.size > MAX_MANIFEST_BYTES) throw noBackup(file);
  const json = JSON.parse(await text(Readable.fromWeb(body as ReadableStream<Uint8Array>))) as unknown;
  const { format, program } = formatSchema.parse(json);
  const refuse = (age: string | null) => {
    if (age === null) return;
    const made = `was made by ${age} agent-runtime (${program.version}); this is ${PROGRAM.version}`;
    throw badBackup(file, `${made}. Restore it with that version.`);
  };
  if (format !== FORMAT) refuse(format > FORMAT ? 'a newer' : 'an older');
  const manifest = manifestSchema.parse(json);
  refuse(ageOf(manifest.schema));
  return manifest;
}

async function writeEntry(body: ReadableStream<Uint8Array>, path: string | null): Promise<void> {
  const output =
    path === null
      ? new Writable({ write: (_chunk, _encoding, done) => done() })
      : createWriteStream(path, { mode: 0o600, flags: 'wx', flush: true });
  await pipeline(Readable.fromWeb(body), output);
}

function refuseWithoutSpace(directory: string, { entries }: Manifest): void {
  const needed = entries.reduce((sum, { size }) => sum + size, 0);
  const { bavail, bsize } = statfsSync(directory);
  if (needed <= bavail * bsize) return;
  const megabytes = (bytes: number) => `${Math.ceil(bytes / 1024 ** 2).toLocaleString('en-US')} MB`;
  const message = `There is not enough room in ${directory}: the backup needs ${megabytes(needed)}, ${megabytes(bavail * bsize)} are free.`;
  throw new RuntimeError('unavailable', message);
}

function explain({ source, directory }: UnpackOptions, error: unknown): unknown {
  const file = source.name;
  if (error instanceof RuntimeError) return error;
  const diskFull = diskFullError(directory ?? file, error);
  if (diskFull !== error) return diskFull;
  const { code = '', name } = error as NodeJS.ErrnoException;
  // A system error does not mean a bad backup.
  if (/^E[A-Z]+$/.test(code)) return error;
  // It opened, and its content is of another program.
  if (name === 'ZodError' || name === 'SyntaxError') return noBackup(file, error);
  return damaged(file, error);
}

export function badBackup(file: string, problem: string, cause?: unknown): RuntimeError {
  return new RuntimeError('unprocessable', `${file} ${problem}`, { cause });
}

function noBackup(file: string, cause?: unknown): RuntimeError {
  return badBackup(file, 'is not a backup of agent-runtime. Name another file.', cause);
}

function damaged(file: string, cause?: unknown): RuntimeError {
  return badBackup(file, 'is damaged, changed or cut off. Copy it again, or use another backup.', cause);
}
