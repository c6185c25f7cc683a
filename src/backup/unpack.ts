import { createHash } from 'node:crypto';
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
import { authenticityOf, type BackupKeys, MAC_FILE } from './authentication.ts';
import { type DecryptionKeys, decrypted, examined } from './encryption.ts';
import { ageOf } from './inspect.ts';
import {
  FORMAT,
  formatSchema,
  MANIFEST_FILE,
  MAX_MANIFEST_BYTES,
  type Manifest,
  type ManifestEntry,
  manifestSchema,
} from './manifest.ts';
import type { BackupSource } from './places.ts';

export interface UnpackOptions {
  source: BackupSource;
  /** Empty; null to verify only. */
  directory: string | null;
  keys: BackupKeys & DecryptionKeys;
  /** Accepts a backup that no key here authenticates, but never a changed one. */
  acceptUnauthenticated: boolean;
  onProgress: (read: number) => void;
}

export interface Unpacked {
  manifest: Manifest;
  isAuthentic: boolean;
}

/** Memory is constant. Throws `unprocessable` for a bad file, `unavailable` for a full disk. */
export async function unpack(options: UnpackOptions): Promise<Unpacked> {
  const { directory } = options;
  const file = options.source.name;
  let manifest: Manifest | undefined;
  let entries: AsyncIterator<ParsedTarEntry> | undefined;
  let isEncrypted = false;
  try {
    const opened = await examined(options.source.read());
    isEncrypted = opened.isEncrypted;
    entries = (await readEntries(options, opened))[Symbol.asyncIterator]();
    const first = await entries.next();
    if (first.done || first.value.header.name !== MANIFEST_FILE) throw noBackup(file);
    const text = await textOf(first.value);
    manifest = readManifest(file, text);
    const second = await entries.next();
    if (second.done || second.value.header.name !== MAC_FILE) throw badBackup(file, WITHOUT_MAC);
    const isAuthentic = authenticate(options, text, await textOf(second.value));
    if (directory !== null) refuseWithoutSpace(directory, manifest);
    const missing = new Map(manifest.entries.map((entry) => [entry.name, entry]));
    for (let next = await entries.next(); !next.done; next = await entries.next()) {
      const { name } = next.value.header;
      const expected = missing.get(name);
      if (!expected || !(await readEntry(next.value, expected, directory))) throw damaged(file, name);
      missing.delete(name);
    }
    if (missing.size > 0) throw cutOff(file);
    return { manifest, isAuthentic };
  } catch (error) {
    throw explain(options, error, { atBeginning: manifest === undefined, isEncrypted });
  } finally {
    // The error is already thrown.
    await entries?.return?.().catch(() => undefined);
  }
}

async function readEntries(
  { source, keys, onProgress }: UnpackOptions,
  { isEncrypted, content: input }: { isEncrypted: boolean; content: Readable },
): Promise<ReadableStream<ParsedTarEntry>> {
  let read = 0;
  const counted = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      read += chunk.length;
      onProgress(read);
      done(null, chunk);
    },
  });
  // The reader of the entries gets the error.
  pipeline(input, counted).catch(() => undefined);
  const content = isEncrypted ? await decrypted(counted, keys) : counted;
  if (content === null) {
    input.destroy();
    throw badBackup(source.name, WITHOUT_KEY);
  }
  const tar = createGunzip();
  pipeline(content, tar).catch(() => undefined);
  return (Readable.toWeb(tar) as ReadableStream<Uint8Array>).pipeThrough(
    createTarDecoder({ strict: true }) as unknown as {
      readable: ReadableStream<ParsedTarEntry>;
      writable: WritableStream<Uint8Array>;
    },
  );
}

function readManifest(file: string, content: string): Manifest {
  const json = JSON.parse(content) as unknown;
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

function authenticate({ source, keys, acceptUnauthenticated }: UnpackOptions, manifest: string, mac: string) {
  const file = source.name;
  const found = authenticityOf(manifest, mac, keys);
  if (found === 'changed')
    throw badBackup(file, 'was changed after it was made: its MAC is another. Use another backup.');
  if (found === 'mismatched') throw badBackup(file, 'was made with another passphrase, or changed after it was made.');
  if (found === 'authentic' || acceptUnauthenticated) return found === 'authentic';
  throw badBackup(file, NO_KEY);
}

const NO_KEY =
  'cannot be authenticated: neither the secret of the installation that made it nor its passphrase is here. Give the passphrase, or set AGENT_RUNTIME_SECRET_KEY to the content of its secret.key. If you know where it comes from, --accept-unauthenticated takes it as it is.';
const WITHOUT_MAC = 'carries no MAC: it was changed after it was made. Use another backup.';
const WITHOUT_KEY =
  'is encrypted, and does not open: give its passphrase (--passphrase) or the identity of a recipient (--identity).';

async function textOf({ header, body }: ParsedTarEntry): Promise<string> {
  if (header.size > MAX_MANIFEST_BYTES) throw new Error('The manifest is too large.');
  return text(Readable.fromWeb(body as ReadableStream<Uint8Array>));
}

async function readEntry(
  entry: ParsedTarEntry,
  { name, size, sha256 }: ManifestEntry,
  directory: string | null,
): Promise<boolean> {
  // Free space was checked for the sizes in the manifest.
  if (entry.header.size !== size) return false;
  const hash = createHash('sha256');
  const hashed = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const content = Readable.fromWeb(entry.body as ReadableStream<Uint8Array>);
  const output =
    directory === null
      ? discard()
      : createWriteStream(join(directory, name), { mode: 0o600, flags: 'wx', flush: true });
  await pipeline(content, hashed, output);
  return hash.digest('hex') === sha256;
}

function discard(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}

function refuseWithoutSpace(directory: string, { entries }: Manifest): void {
  const needed = entries.reduce((sum, { size }) => sum + size, 0);
  const { bavail, bsize } = statfsSync(directory);
  if (needed <= bavail * bsize) return;
  const megabytes = (bytes: number) => `${Math.ceil(bytes / 1024 ** 2).toLocaleString('en-US')} MB`;
  const message = `There is not enough room in ${directory}: the backup needs ${megabytes(needed)}, ${megabytes(bavail * bsize)} are free.`;
  throw new RuntimeError('unavailable', message);
}

function explain(
  { source, directory }: UnpackOptions,
  error: unknown,
  { atBeginning, isEncrypted }: { atBeginning: boolean; isEncrypted: boolean },
): unknown {
  const file = source.name;
  if (error instanceof RuntimeError) return error;
  const diskFull = diskFullError(directory ?? file, error);
  if (diskFull !== error) return diskFull;
  const { code = '', message } = error as NodeJS.ErrnoException;
  // A system error does not mean a bad backup.
  if (/^E[A-Z]+$/.test(code)) return error;
  if (code === 'Z_BUF_ERROR') return cutOff(file, error);
  if (atBeginning && isEncrypted) {
    return badBackup(file, 'is damaged, or cut off. Copy it again, or use another backup.', error);
  }
  if (atBeginning) return noBackup(file, error);
  if (message === 'Tar archive is truncated.') return cutOff(file, error);
  return badBackup(file, 'is damaged: it cannot be read to its end. Use another backup.', error);
}

export function badBackup(file: string, problem: string, cause?: unknown): RuntimeError {
  return new RuntimeError('unprocessable', `${file} ${problem}`, { cause });
}

function noBackup(file: string, cause?: unknown): RuntimeError {
  return badBackup(file, 'is not a backup of agent-runtime.', cause);
}

function damaged(file: string, name: string): RuntimeError {
  return badBackup(file, `is damaged: ${name} is not what was packed. Use another backup.`);
}

function cutOff(file: string, cause?: unknown): RuntimeError {
  return badBackup(file, 'is cut off: its end is missing. Copy it again, or use another backup.', cause);
}
