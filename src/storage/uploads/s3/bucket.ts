import { PassThrough, Readable, type Writable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetBucketLifecycleConfigurationCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  type LifecycleRule,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandInput,
  type ListMultipartUploadsCommandOutput,
  ListObjectsV2Command,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { BucketUrl } from '../../../core/bucket-url.ts';
import { bucketFault, isMissing, type S3Request } from './faults.ts';

const CONNECT_MS = 5_000;
/** A connection without a byte in either direction, within an answer too. */
const IDLE_MS = 60_000;
const ATTEMPTS = 3;
/** The region that servers beside AWS expect if they have none. */
const ANY_REGION = 'us-east-1';

export function makeClient({ endpoint, region, isPathStyle, credentials }: BucketUrl): S3Client {
  const ofServer = endpoint === null ? {} : { endpoint, region: ANY_REGION };
  const client = new S3Client({
    ...ofServer,
    ...(region !== null && { region }),
    ...(credentials && { credentials }),
    forcePathStyle: isPathStyle,
    maxAttempts: ATTEMPTS,
    // Many servers refuse the checksums that AWS has added. Signatures cover what is sent.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: IDLE_MS },
  });
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const { date } = (result.response as { headers: Record<string, string | undefined> }).headers;
      Object.assign((result.output as { $metadata: object }).$metadata, { date });
      return result;
    },
    // Outside the SDK's own step, which makes the output.
    { step: 'deserialize', priority: 'high', name: 'serverDate' },
  );
  return client;
}

/** Epoch milliseconds by the server's clock: ages must not depend on the clock of a node. */
export function serverTime({ $metadata }: { $metadata: object }): number {
  const time = Date.parse(($metadata as { date?: string }).date ?? '');
  return Number.isNaN(time) ? Date.now() : time;
}

/** The least that S3 allows. */
export const MIN_PART_BYTES = 5 * 1024 * 1024;
const MAX_PARTS = 10_000;
/** Parts that are sent while the next one is read: two of them are in memory. */
const PARTS_AT_ONCE = 2;
/** Connections that break in a row without a byte between them. */
const MAX_BREAKS = 4;
/** For the removal of what a failed upload left: the server may be the reason that it failed. */
const CLEANUP_MS = 10_000;

export interface StoredObject {
  key: string;
  size: number;
  /** By the server's clock. Of objects in parts, S3 counts from the beginning of their upload. */
  ageMs: number;
}

export interface UnfinishedUpload {
  key: string;
  uploadId: string;
  ageMs: number;
}

export interface PutOptions {
  /** The most that may come: parts are as large as this needs. */
  maxBytes: number;
  signal: AbortSignal;
}

/** Throws `BucketFault`s. Objects appear whole or not at all. */
export class Bucket {
  readonly name: string;
  private readonly client: S3Client;
  private readonly server: string;

  constructor(url: BucketUrl) {
    this.name = url.bucket;
    this.server = url.endpoint === null ? 'AWS' : new URL(url.endpoint).host;
    this.client = makeClient(url);
  }

  /**
   * Stores what `produce` writes under a new key, in parts, with bounded memory. After a failure,
   * whose error it throws, nothing has the key. Returns the size in bytes.
   */
  async write(key: string, produce: (output: Writable) => Promise<void>, options: PutOptions): Promise<number> {
    // Whoever writes to it or reads from it gets its error.
    const output = new PassThrough().on('error', () => undefined);
    let bytes = 0;
    const counted = async function* () {
      for await (const chunk of output as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        yield chunk;
      }
    };
    const [produced, stored] = await Promise.allSettled([
      produce(output).catch((error: Error) => {
        output.destroy(error);
        throw error;
      }),
      this.put(key, Readable.from(counted(), { objectMode: false }), options).finally(() => output.destroy()),
    ]);
    // A failed upload ends the output early, a failed producer the upload: the first reason counts.
    if (produced.status === 'rejected' && !isPremature(produced.reason)) throw produced.reason;
    if (stored.status === 'rejected') throw stored.reason;
    if (produced.status === 'rejected') throw produced.reason;
    return bytes;
  }

  private async put(key: string, content: Readable, { maxBytes, signal }: PutOptions): Promise<void> {
    const upload = new Upload({
      client: abortable(this.client, signal),
      params: { Bucket: this.name, Key: key, Body: content },
      partSize: Math.max(MIN_PART_BYTES, Math.ceil(maxBytes / MAX_PARTS)),
      queueSize: PARTS_AT_ONCE,
    });
    try {
      // It rejects once the parts that were sent are removed.
      await this.ask('s3:PutObject', () => upload.done());
    } catch (error) {
      content.destroy();
      // The server may have stored it without its answer arriving.
      await this.remove(key, AbortSignal.timeout(CLEANUP_MS)).catch(() => undefined);
      throw error;
    }
  }

  /** Bytes; null: no such object. HEAD would not tell a missing object from a missing bucket. */
  async size(key: string, signal?: AbortSignal): Promise<number | null> {
    const command = new ListObjectsV2Command({ Bucket: this.name, Prefix: key, MaxKeys: 1 });
    const page = await this.ask('s3:ListBucket', () => this.client.send(command, { abortSignal: signal }));
    const found = page.Contents?.find(({ Key }) => Key === key);
    return found ? (found.Size ?? 0) : null;
  }

  /** A connection that breaks is opened again where it broke. */
  read(key: string, signal?: AbortSignal): Readable {
    return Readable.from(this.chunks(key, signal), { objectMode: false, highWaterMark: 256 * 1024 });
  }

  /** A missing object is not an error. */
  async remove(key: string, signal?: AbortSignal): Promise<void> {
    const command = new DeleteObjectCommand({ Bucket: this.name, Key: key });
    await this.orNull('s3:DeleteObject', () => this.client.send(command, { abortSignal: signal }));
  }

  async *list(prefix: string): AsyncGenerator<StoredObject> {
    let token: string | undefined;
    do {
      const input = { Bucket: this.name, Prefix: prefix, ContinuationToken: token };
      const page = await this.ask('s3:ListBucket', () => this.client.send(new ListObjectsV2Command(input)));
      const now = serverTime(page);
      for (const { Key, Size = 0, LastModified } of page.Contents ?? []) {
        if (Key !== undefined) yield { key: Key, size: Size, ageMs: now - (LastModified?.getTime() ?? now) };
      }
      token = page.IsTruncated ? page.NextContinuationToken : undefined;
    } while (token !== undefined);
  }

  /** Uploads in parts that were neither completed nor aborted. */
  async *unfinished(prefix: string): AsyncGenerator<UnfinishedUpload> {
    let marker: Pick<ListMultipartUploadsCommandInput, 'KeyMarker' | 'UploadIdMarker'> | null = {};
    while (marker !== null) {
      const command = new ListMultipartUploadsCommand({ Bucket: this.name, Prefix: prefix, ...marker });
      const page: ListMultipartUploadsCommandOutput = await this.ask('s3:ListBucketMultipartUploads', () =>
        this.client.send(command),
      );
      const now = serverTime(page);
      for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
        // Some servers ignore the prefix.
        if (!Key?.startsWith(prefix) || UploadId === undefined) continue;
        yield { key: Key, uploadId: UploadId, ageMs: now - (Initiated?.getTime() ?? now) };
      }
      marker = page.IsTruncated ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker } : null;
    }
  }

  async abort({ key, uploadId }: UnfinishedUpload): Promise<void> {
    const input = { Bucket: this.name, Key: key, UploadId: uploadId };
    await this.orNull('s3:AbortMultipartUpload', () => this.client.send(new AbortMultipartUploadCommand(input)));
  }

  async lifecycle(): Promise<LifecycleRule[]> {
    const send = () => this.client.send(new GetBucketLifecycleConfigurationCommand({ Bucket: this.name }));
    return (await this.orNull('s3:GetLifecycleConfiguration', send))?.Rules ?? [];
  }

  async isVersioned(): Promise<boolean> {
    const send = () => this.client.send(new GetBucketVersioningCommand({ Bucket: this.name }));
    return (await this.ask('s3:GetBucketVersioning', send)).Status === 'Enabled';
  }

  close(): void {
    this.client.destroy();
  }

  private async *chunks(key: string, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
    let at = 0;
    let etag: string | undefined;
    for (let breaks = 0; breaks <= MAX_BREAKS; breaks++) {
      const range = at === 0 ? {} : { Range: `bytes=${at}-`, IfMatch: etag };
      const input = { Bucket: this.name, Key: key, ...range };
      const answer = await this.ask('s3:GetObject', () =>
        this.client.send(new GetObjectCommand(input), { abortSignal: signal }),
      );
      etag ??= answer.ETag;
      const end = at + (answer.ContentLength ?? 0);
      try {
        for await (const chunk of answer.Body as Readable) {
          at += (chunk as Buffer).length;
          breaks = 0;
          yield chunk as Buffer;
        }
        if (at >= end) return;
      } catch (error) {
        if (signal?.aborted || breaks === MAX_BREAKS) throw bucketFault(error, this.asked('s3:GetObject'));
      }
    }
    throw bucketFault(cutOff(), this.asked('s3:GetObject'));
  }

  private asked(permission: string): S3Request {
    return { bucket: this.name, server: this.server, permission };
  }

  private async ask<Answer>(permission: string, send: () => Promise<Answer>): Promise<Answer> {
    try {
      return await send();
    } catch (error) {
      throw bucketFault(error, this.asked(permission));
    }
  }

  private async orNull<Answer>(permission: string, send: () => Promise<Answer>): Promise<Answer | null> {
    return this.ask(permission, () =>
      send().catch((error: unknown) => {
        if (isMissing(error)) return null;
        throw error;
      }),
    );
  }
}

function isPremature(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';
}

function cutOff(): Error {
  return Object.assign(new Error('The answer ended before its length.'), { code: 'ECONNRESET' });
}

/**
 * Ends the sending of parts immediately. The other requests end by themselves: one that is cut off
 * may have been done, and what it left is unknown.
 */
function abortable(client: S3Client, signal: AbortSignal): S3Client {
  const send = (command: Parameters<S3Client['send']>[0]) => {
    if (command instanceof UploadPartCommand) return client.send(command, { abortSignal: signal });
    if (!(command instanceof AbortMultipartUploadCommand)) return client.send(command);
    return client.send(command, { abortSignal: AbortSignal.timeout(CLEANUP_MS) });
  };
  return { config: client.config, send } as unknown as S3Client;
}
