import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { TestContext } from 'node:test';
import type S3rver from 's3rver';
import { parseBucketUrl } from '../../src/core/bucket-url.ts';
import { Bucket } from '../../src/storage/uploads/s3/bucket.ts';
import { temporaryDirectory } from './app.ts';

const S3_CREDENTIALS = 'S3RVER:S3RVER';
const BUCKET = 'files';
const OBJECT = '._S3rver_object';
const UPLOADS = '._S3rver_uploads';

export interface S3 {
  /** As the setting names a place in its bucket. `credentials`: KEY:SECRET. */
  url(path?: string, credentials?: string): string;
  bucket(options?: { path?: string; credentials?: string }): Bucket;
  /** Keys of whole objects. */
  keys(): string[];
  /** Keys of uploads in parts that were neither completed nor aborted. */
  unfinished(): string[];
  content(key: string): Buffer;
  /** Begins an upload in parts, as of a process that is killed then. */
  begin(key: string): Promise<void>;
  /** As if what is there had come so much earlier. */
  age(ms: number): void;
  /** Answers itself when it returns true. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Methods with paths, as they came. */
  readonly requests: string[];
  /** Of a page of a list. */
  pageSize: number;
  /** The rules of the bucket, as XML; null: none. */
  lifecycle: string | null;
  isVersioned: boolean;
}

/** A server with one bucket. Unlike s3rver alone it stores whole objects only, and knows unfinished uploads. */
export async function startS3(t: Pick<TestContext, 'after'>): Promise<S3> {
  const root = temporaryDirectory(t);
  const { default: Server } = await import('s3rver');
  const s3rver = new Server({ directory: root, silent: true, configureBuckets: [{ name: BUCKET, configs: [] }] });
  await s3rver.configureBuckets();
  storeWhole(s3rver);
  const place = join(root, BUCKET);
  const answer = s3rver.callback();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    // The client may leave in the middle of a body.
    request.on('error', () => undefined);
    if (!s3.intercept(request, response) && !answerItself(s3, place, request, response)) answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
    s3rver.logger.exceptions.unhandle();
    s3rver.logger.close();
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = (path = '', credentials = S3_CREDENTIALS) => `s3://${credentials}@${BUCKET}/${path}?endpoint=${endpoint}`;
  const s3: S3 = {
    url,
    bucket: ({ path = '', credentials } = {}) => {
      const bucket = new Bucket(parseBucketUrl(url(path, credentials)));
      t.after(() => bucket.close());
      return bucket;
    },
    keys: () => keysIn(place),
    unfinished: () => unfinishedIn(place).map(({ key }) => key),
    begin: async (key) => {
      await s3rver.store.initiateUpload(BUCKET, key, randomUUID(), {});
    },
    content: (key) => readFileSync(join(place, `${key}${OBJECT}`)),
    age: (ms) => {
      const paths = [
        ...keysIn(place).map((key) => join(place, `${key}${OBJECT}`)),
        ...unfinishedIn(place).map(({ begun }) => begun),
      ];
      for (const path of paths) {
        const time = new Date(statSync(path).mtimeMs - ms);
        utimesSync(path, time, time);
      }
    },
    intercept: () => false,
    requests,
    pageSize: 1_000,
    lifecycle: null,
    isVersioned: false,
  };
  return s3;
}

function keysIn(place: string): string[] {
  const files = readdirSync(place, { recursive: true, encoding: 'utf8' });
  return files.flatMap((file) => (file.endsWith(OBJECT) ? [file.slice(0, -OBJECT.length)] : [])).sort();
}

function unfinishedIn(place: string) {
  const uploads = join(place, UPLOADS);
  if (!existsSync(uploads)) return [];
  return readdirSync(uploads).flatMap((id) => {
    const begun = join(uploads, id, 'key');
    return existsSync(begun) ? [{ id, begun, key: readFileSync(begun, 'utf8') }] : [];
  });
}

/** s3rver shows an object from its first byte on, and keeps it when the client leaves. */
function storeWhole({ store }: S3rver): void {
  store.putObject = async ({ bucket, key, metadata, content }) => {
    const path = store.getResourcePath(bucket, key, 'object');
    const draft = `${path}.draft-${Math.random()}`;
    await mkdir(dirname(path), { recursive: true });
    try {
      await pipeline(Buffer.isBuffer(content) ? [content] : content, createWriteStream(draft));
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
    await rm(`${path}.md5`, { force: true });
    await store.putMetadata(bucket, key, metadata);
    await rename(draft, path);
    const { etag, 'content-length': size } = await store.getMetadata(bucket, key);
    return { size, md5: JSON.parse(etag) as string };
  };
}

/** What s3rver does not implement, and lists, whose pages it cannot make with this OpenSSL. */
function answerItself(s3: S3, place: string, request: IncomingMessage, response: ServerResponse): boolean {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const isBucket = pathname.replaceAll('/', '') === BUCKET;
  const xml = (status: number, text: string) => {
    response.writeHead(status, { 'content-type': 'application/xml' }).end(`<?xml version="1.0"?>${text}`);
    return true;
  };
  const isCleanup = request.method === 'DELETE' && searchParams.has('uploadId');
  if (!isCleanup && (request.method !== 'GET' || !isBucket)) return false;
  if (!request.headers.authorization?.includes(`Credential=S3RVER/`)) {
    return xml(403, '<Error><Code>InvalidAccessKeyId</Code></Error>');
  }
  if (isCleanup) {
    rmSync(join(place, UPLOADS, searchParams.get('uploadId')!), { recursive: true, force: true });
    response.writeHead(204).end();
    return true;
  }
  if (searchParams.has('list-type')) return xml(200, listed(place, searchParams, s3.pageSize));
  if (searchParams.has('uploads')) {
    const uploads = unfinishedIn(place).map(({ id, key, begun }) => {
      const initiated = statSync(begun).mtime.toISOString();
      return `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${initiated}</Initiated></Upload>`;
    });
    return xml(200, `<ListMultipartUploadsResult>${uploads.join('')}</ListMultipartUploadsResult>`);
  }
  if (searchParams.has('versioning')) {
    const status = s3.isVersioned ? '<Status>Enabled</Status>' : '';
    return xml(200, `<VersioningConfiguration>${status}</VersioningConfiguration>`);
  }
  if (!searchParams.has('lifecycle')) return false;
  if (s3.lifecycle === null) return xml(404, '<Error><Code>NoSuchLifecycleConfiguration</Code></Error>');
  return xml(200, `<LifecycleConfiguration>${s3.lifecycle}</LifecycleConfiguration>`);
}

function listed(place: string, options: URLSearchParams, pageSize: number): string {
  const after = Buffer.from(options.get('continuation-token') ?? '', 'base64url').toString();
  const prefix = options.get('prefix') ?? '';
  const keys = keysIn(place).filter((key) => key.startsWith(prefix) && key > after);
  const page = keys.slice(0, Number(options.get('max-keys') ?? pageSize));
  const contents = page.map((key) => {
    const { mtime, size } = statSync(join(place, `${key}${OBJECT}`));
    const modified = mtime.toISOString();
    return `<Contents><Key>${key}</Key><Size>${size}</Size><LastModified>${modified}</LastModified></Contents>`;
  });
  const token = Buffer.from(page.at(-1) ?? '').toString('base64url');
  const rest = `<IsTruncated>${page.length < keys.length}</IsTruncated><NextContinuationToken>${token}</NextContinuationToken>`;
  return `<ListBucketResult>${contents.join('')}${rest}</ListBucketResult>`;
}
