import { dirname, join } from 'node:path';
import { z } from 'zod';
import { keyIdOf } from '../../core/base/sealing/sealing.ts';
import { FileLock } from '../state/sqlite/lock.ts';
import { diskFullError, writeDurably } from './disk.ts';
import { SEALING_KEYS_FILE } from './names.ts';
import { damaged, nullIfUnusable, ofNewerVersion, textIfExists, UnusableFile } from './unusable.ts';

const VERSION = 1;
const MAX_WAIT_MS = 10_000;

const keySchema = z
  .strictObject({
    id: z.string().regex(/^[\w-]{8}$/),
    createdAt: z.iso.datetime(),
    /** Null for the active key. */
    retiredAt: z.iso.datetime().nullable(),
    /** 32 bytes in base64url, or wrapped. */
    key: z.union([
      z.string().regex(/^[\w-]{43}$/),
      z.strictObject({ wrapped: z.string().regex(/^v1\.[\w-]{8}\.[\w-]+$/) }),
    ]),
  })
  .refine(({ id, key }) => typeof key !== 'string' || keyIdOf(Buffer.from(key, 'base64url')) === id);

const fileSchema = z.strictObject({
  version: z.literal(VERSION),
  keys: z
    .array(keySchema)
    .min(1)
    .max(10_000)
    .refine((keys) => keys.filter(({ retiredAt }) => retiredAt === null).length === 1, 'has not one active key'),
});

export type RingKey = z.output<typeof keySchema>;

export function keyRingPath(dataDir: string): string {
  return join(dataDir, SEALING_KEYS_FILE);
}

export function readKeyRing(dataDir: string): RingKey[] | null {
  const path = keyRingPath(dataDir);
  const text = textIfExists(path);
  return text === null ? null : parseKeyRing(text, path);
}

export function parseKeyRing(text: string, path: string): RingKey[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw damaged(path, 'is not a key ring');
  }
  const { version } = (json ?? {}) as { version?: unknown };
  if (typeof version === 'number' && version > VERSION) {
    throw ofNewerVersion(path);
  }
  const parsed = fileSchema.safeParse(json);
  if (!parsed.success) throw damaged(path, 'is not a key ring');
  return parsed.data.keys;
}

/** A damaged present ring is replaced. */
export function mergedKeyRing(text: string, dataDir: string): string {
  const restored = parseKeyRing(text, SEALING_KEYS_FILE);
  const present = nullIfUnusable(() => readKeyRing(dataDir));
  if (present === null) return formatKeyRing(restored);
  const at = new Date().toISOString();
  const others = restored.filter(({ id }) => present.every((key) => key.id !== id));
  return formatKeyRing([
    // An unwrapped key opens with any settings.
    ...present.map((one) => ({
      ...one,
      key: restored.find(({ id, key }) => id === one.id && isPlain(key))?.key ?? one.key,
    })),
    ...others.map((key) => ({ ...key, retiredAt: key.retiredAt ?? at })),
  ]);
}

function isPlain(key: RingKey['key']): boolean {
  return typeof key === 'string';
}

function formatKeyRing(keys: readonly RingKey[]): string {
  return `${JSON.stringify({ version: VERSION, keys }, null, 2)}\n`;
}

/** Atomic, durable, under an inter-process lock. `change` returns null to leave the ring. */
export async function updateKeyRing(
  dataDir: string,
  change: (keys: RingKey[] | null) => RingKey[] | null,
): Promise<void> {
  const path = keyRingPath(dataDir);
  const lock = new FileLock(`${path}.lock`);
  try {
    if (!(await lock.acquire(MAX_WAIT_MS))) {
      throw new UnusableFile(path, 'is being changed by another process. Run the command again.');
    }
    const before = readKeyRing(dataDir);
    const keys = change(before);
    if (keys !== null) write(path, formatKeyRing(keys), before === null);
  } finally {
    lock.close();
  }
}

/** `isNew`: throws when another ring has appeared. */
function write(path: string, text: string, isNew: boolean): void {
  try {
    writeDurably(path, text, { isNew });
  } catch (error) {
    throw diskFullError(dirname(path), error);
  }
}
