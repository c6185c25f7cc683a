import { notFound, RuntimeError } from '../core/base/shared/errors.ts';
import type { BucketUrl } from '../core/bucket-url.ts';
import type { Bucket } from '../storage/uploads/s3/bucket.ts';
import { BucketFault } from '../storage/uploads/s3/faults.ts';
import type { BackupSource, BackupTarget } from './places.ts';

/** Of names that are made here. */
const BEGINNING = 'agent-runtime-';
const SHOWN_NAMES = 5;
/** No backup takes as long: its parts are of a command that was killed. */
const CRASHED_AFTER_MS = 7 * 86_400_000;

export interface BucketPlace {
  url: BucketUrl;
  bucket: Bucket;
}

/**
 * Streams in parts; the object appears with the last request. A path that ends with a slash gets a
 * name with the time. Throws `conflict` when the object exists, unless it may be replaced.
 */
export async function bucketTarget(
  { url, bucket }: BucketPlace,
  { now, mayReplace }: { now: number; mayReplace: boolean },
): Promise<BackupTarget> {
  const time = new Date(now).toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '');
  const key = isFolder(url) ? `${url.path}${BEGINNING}${time}.backup` : url.path;
  const name = nameOf(url, key);
  const isNew = (await bucket.size(key)) === null;
  if (!isNew && !mayReplace) {
    throw new RuntimeError('conflict', `${name} exists already. Choose another name, or replace it with --force.`);
  }
  await removeCrashed(bucket, key, isFolder(url) ? `${url.path}${BEGINNING}` : key);
  const controller = new AbortController();
  let written: Promise<unknown> = Promise.resolve();
  return {
    name,
    write: (produce, maxBytes) => {
      const writing = bucket.write(key, produce, { maxBytes, isNew, signal: controller.signal });
      written = writing.catch(() => undefined);
      return writing;
    },
    discard: async () => {
      controller.abort(new Error('the backup was interrupted'));
      await written;
    },
  };
}

/** Throws `not_found`, with the newest names of a path that ends with a slash. */
export async function bucketSource({ url, bucket }: BucketPlace): Promise<BackupSource> {
  const name = nameOf(url, url.path);
  if (isFolder(url)) throw await whichBackup(bucket, url);
  const size = await bucket.size(url.path);
  if (size === null) throw notFound(`There is no ${name}.`);
  return { name, size, read: () => bucket.read(url.path) };
}

async function whichBackup(bucket: Bucket, url: BucketUrl): Promise<RuntimeError> {
  const found = [];
  for await (const object of bucket.list(url.path)) if (object.key.endsWith('.backup')) found.push(object);
  const newest = found.sort((one, other) => one.ageMs - other.ageMs).slice(0, SHOWN_NAMES);
  if (newest.length === 0) return notFound(`There is no backup (*.backup) in ${nameOf(url, url.path)}.`);
  const names = newest.map(({ key }) => nameOf(url, key)).join(', ');
  return notFound(`${nameOf(url, url.path)} is no backup; name one. The newest are ${names}.`);
}

/** Servers that do not list them have a lifecycle rule, or the operator removes them. */
async function removeCrashed(bucket: Bucket, key: string, prefix: string): Promise<void> {
  try {
    for await (const upload of bucket.unfinished(prefix)) {
      const isOurs = upload.key === key || /^[^/]+\.backup$/.test(upload.key.slice(prefix.length));
      if (isOurs && upload.ageMs > CRASHED_AFTER_MS) await bucket.abort(upload);
    }
  } catch (error) {
    if (!(error instanceof BucketFault)) throw error;
  }
}

function isFolder({ path }: BucketUrl): boolean {
  return path === '' || path.endsWith('/');
}

function nameOf({ bucket }: BucketUrl, key: string): string {
  return `s3://${bucket}/${key}`;
}
