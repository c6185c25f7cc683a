import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { realEffects } from '../../../core/base/shared/effects.ts';
import { RuntimeError } from '../../../core/base/shared/errors.ts';
import { type BucketUrl, parseBucketUrl } from '../../../core/bucket-url.ts';
import { type OpenUpload, UNNEEDED_AFTER_MS, type Upload, type UploadStore } from '../../../core/knowledge/uploads.ts';
import { checkedId, isUploadId } from '../files.ts';
import { Bucket } from './bucket.ts';
import { BucketFault } from './faults.ts';
import { Scratch } from './scratch.ts';

/** S3 counts the age of an object in parts from its beginning: it must end while it is young. */
const MAX_RECEIVE_MS = UNNEEDED_AFTER_MS / 2;

export interface S3UploadStoreOptions {
  bucket: Bucket;
  /** Keys begin with it. No other installation uses it. */
  prefix: string;
  scratch: Scratch;
  /** The size of one upload. */
  maxBytes: number;
  newId?: () => string;
  maxReceiveMs?: number;
  /** For the log. */
  onFault?: (error: unknown) => void;
}

export interface S3UploadsOptions extends Pick<S3UploadStoreOptions, 'maxBytes' | 'newId' | 'onFault'> {
  uploadsUrl: string;
  /** Several installations may have the same URL. */
  installationId: string;
  /** For copies that are read; of this process alone, and emptied. */
  scratchDirectory: string;
}

/** The scratch directory holds as many uploads of the largest size. */
const SCRATCH_UPLOADS = 2;

export function openS3Uploads({ uploadsUrl, installationId, scratchDirectory, ...options }: S3UploadsOptions) {
  const url = parseBucketUrl(uploadsUrl);
  const bucket = new Bucket(url);
  const scratch = new Scratch({ directory: scratchDirectory, maxBytes: SCRATCH_UPLOADS * options.maxBytes });
  return {
    store: new S3UploadStore({ bucket, prefix: `${uploadsPrefix(url)}${installationId}/`, scratch, ...options }),
    close: async () => {
      await scratch.clear();
      bucket.close();
    },
  };
}

/** The keys of all uploads begin with it: other programs may share the bucket. */
export function uploadsPrefix({ path }: BucketUrl): string {
  return `${path === '' || path.endsWith('/') ? path : `${path}/`}uploads/`;
}

/** One object `<prefix><id>` for each upload. Readers get a copy in the scratch directory. */
export class S3UploadStore implements UploadStore {
  private readonly bucket: Bucket;
  private readonly scratch: Scratch;
  private readonly newId: () => string;
  private readonly options: S3UploadStoreOptions;

  constructor(options: S3UploadStoreOptions) {
    this.bucket = options.bucket;
    this.scratch = options.scratch;
    this.newId = options.newId ?? realEffects.newId;
    this.options = options;
  }

  async receive(content: Readable, signal: AbortSignal): Promise<Upload> {
    const id = this.newId();
    const { maxReceiveMs = MAX_RECEIVE_MS } = this.options;
    const late = AbortSignal.timeout(maxReceiveMs);
    try {
      const written = await this.send(id, content, AbortSignal.any([signal, late]));
      if (!signal.aborted) return { id, ...written };
      // The abort came during the last request.
      await this.remove(id);
      throw signal.reason;
    } catch (error) {
      signal.throwIfAborted();
      if (late.aborted) throw tooSlow(maxReceiveMs);
      throw this.toRuntimeError(error, 'The file cannot be stored at the moment', 'Nothing was stored. Try again.');
    }
  }

  async open(id: string, signal: AbortSignal): Promise<OpenUpload | null> {
    const key = this.keyOf(id);
    try {
      const size = await this.bucket.size(key, signal);
      if (size === null) return null;
      return await this.scratch.open(id, size, signal, () => this.bucket.read(key, signal));
    } catch (error) {
      throw this.toRuntimeError(error, 'The file cannot be read at the moment', 'Try again.');
    }
  }

  async remove(id: string): Promise<void> {
    await this.scratch.remove(checkedId(id));
    await this.bucket.remove(this.keyOf(id));
  }

  /** Parts that the server does not list or abort are left to a rule of the bucket. */
  async removeUnneeded(needed: ReadonlySet<string>): Promise<void> {
    const { prefix, onFault } = this.options;
    for await (const { key, ageMs } of this.bucket.list(prefix)) {
      const id = key.slice(prefix.length);
      // Objects with other names belong to other programs.
      if (ageMs > UNNEEDED_AFTER_MS && isUploadId(id) && !needed.has(id)) await this.bucket.remove(key);
    }
    try {
      for await (const upload of this.bucket.unfinished(prefix)) {
        if (upload.ageMs > UNNEEDED_AFTER_MS) await this.bucket.abort(upload);
      }
    } catch (error) {
      if (!(error instanceof BucketFault)) throw error;
      onFault?.(error);
    }
  }

  private async send(id: string, content: Readable, signal: AbortSignal): Promise<Omit<Upload, 'id'>> {
    const hash = createHash('sha256');
    let size = 0;
    const measure = async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        size += chunk.length;
        yield chunk;
      }
    };
    const options = { maxBytes: this.options.maxBytes, signal };
    await this.bucket.write(this.keyOf(id), (output) => pipeline(content, measure, output, { signal }), options);
    return { size, sha256: hash.digest('hex') };
  }

  private keyOf(id: string): string {
    return this.options.prefix + checkedId(id);
  }

  /** Clients are told neither the bucket nor the setting; the log is. */
  private toRuntimeError(error: unknown, what: string, then: string): unknown {
    if (!(error instanceof BucketFault)) return error;
    this.options.onFault?.(error);
    const message = `${what}: the storage of uploads fails. ${then}`;
    return new RuntimeError('unavailable', message, { cause: error, retryAfter: error.retryAfter ?? 30 });
  }
}

function tooSlow(ms: number): RuntimeError {
  const hours = Math.round(ms / 3_600_000);
  return new RuntimeError('timeout', `The upload took longer than ${hours} hours; nothing was stored.`);
}
