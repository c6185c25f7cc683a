import { randomUUID } from 'node:crypto';
import type { Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { LifecycleRule } from '@aws-sdk/client-s3';
import { type Bucket, MIN_PART_BYTES } from './bucket.ts';
import { BucketFault } from './faults.ts';

export interface BucketFinding {
  status: 'ok' | 'warning' | 'failed';
  message: string;
}

const PROBE_MS = 60_000;

/** Stores, lists, reads and removes a probe below the prefix. Faults of the bucket are findings. */
export async function examineBucket(bucket: Bucket, prefix: string): Promise<BucketFinding[]> {
  const probed = await reported(() => probe(bucket, `${prefix}probe-${randomUUID()}`));
  if (probed.status === 'failed') return [probed];
  return [probed, await reported(() => crashedParts(bucket, prefix)), ...(await versions(bucket))];
}

/** Two parts, so that sending in parts is tried too. */
async function probe(bucket: Bucket, key: string): Promise<BucketFinding> {
  const signal = AbortSignal.timeout(PROBE_MS);
  const content = Buffer.alloc(MIN_PART_BYTES + 1, 'probe');
  try {
    const produce = (output: Writable) => pipeline([content], output);
    await bucket.write(key, produce, { maxBytes: content.length, signal });
    if ((await bucket.size(key, signal)) !== content.length) return failed('does not list what was stored');
    if (!(await buffer(bucket.read(key, signal))).equals(content)) return failed('does not return what was stored');
  } finally {
    await bucket.remove(key, signal);
  }
  if ((await bucket.size(key, signal)) !== null) return failed('still lists what was removed');
  return { status: 'ok', message: `${bucket.name}: stores, lists, reads and removes` };
}

async function crashedParts(bucket: Bucket, prefix: string): Promise<BucketFinding> {
  const rules = await orNull(() => bucket.lifecycle());
  if (rules?.some((rule) => abortsParts(rule, prefix))) {
    return { status: 'ok', message: 'a lifecycle rule removes the parts of uploads that crashed' };
  }
  const isListed = (await orNull(async () => void (await bucket.unfinished(prefix).next()))) !== null;
  if (rules === null && isListed) {
    return {
      status: 'ok',
      message: 'lifecycle rules cannot be read; the server removes parts of crashed uploads itself',
    };
  }
  return {
    status: 'warning',
    message: `no lifecycle rule with AbortIncompleteMultipartUpload covers ${prefix === '' ? 'the bucket' : prefix}: parts of uploads that crashed may stay and cost. Add one, of a day or more`,
  };
}

function abortsParts({ Status, AbortIncompleteMultipartUpload: abort, Filter, Prefix }: LifecycleRule, prefix: string) {
  const covered = Filter?.And?.Prefix ?? Filter?.Prefix ?? Prefix ?? '';
  const isForAll = Filter?.Tag === undefined && Filter?.And?.Tags === undefined;
  return Status === 'Enabled' && abort?.DaysAfterInitiation !== undefined && isForAll && prefix.startsWith(covered);
}

async function versions(bucket: Bucket): Promise<BucketFinding[]> {
  if (!(await orNull(() => bucket.isVersioned()))) return [];
  const message = `${bucket.name} keeps versions: what is removed, erased data too, stays as an earlier version. Turn versioning off, or add a lifecycle rule with NoncurrentVersionExpiration`;
  return [{ status: 'warning', message }];
}

async function reported(examine: () => Promise<BucketFinding>): Promise<BucketFinding> {
  try {
    return await examine();
  } catch (error) {
    if (error instanceof BucketFault) return { status: 'failed', message: error.message };
    throw error;
  }
}

/** Null if the server does not offer it, or the credentials do not allow it. */
async function orNull<Answer>(ask: () => Promise<Answer>): Promise<Answer | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof BucketFault) return null;
    throw error;
  }
}

function failed(message: string): BucketFinding {
  return { status: 'failed', message: `the bucket ${message}` };
}
