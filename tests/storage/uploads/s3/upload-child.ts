import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { parseBucketUrl } from '../../../../src/core/bucket-url.ts';
import { Bucket } from '../../../../src/storage/uploads/s3/bucket.ts';
import { Scratch } from '../../../../src/storage/uploads/s3/scratch.ts';
import { S3UploadStore } from '../../../../src/storage/uploads/s3/uploads.ts';

const MEGABYTE = 1024 * 1024;
const SIZE = 200 * MEGABYTE;
const [url = '', prefix = ''] = process.argv.slice(2);
const bucket = new Bucket(parseBucketUrl(url));
const directory = mkdtempSync(join(tmpdir(), 'agent-runtime-test-scratch-'));
const scratch = new Scratch({ directory, maxBytes: SIZE });
const store = new S3UploadStore({ bucket, prefix, scratch, maxBytes: SIZE });
const signal = new AbortController().signal;

function content(bytes: number): Readable {
  let sent = 0;
  return new Readable({
    read() {
      sent += 64 * 1024;
      this.push(sent <= bytes ? Buffer.alloc(64 * 1024, sent) : null);
    },
  });
}

// Loads what the first request needs.
const { id: first } = await store.receive(content(MEGABYTE), signal);
await store.remove(first);
const before = process.memoryUsage.rss();
let most = before;
const measuring = setInterval(() => {
  most = Math.max(most, process.memoryUsage.rss());
}, 5);
const { id, sha256 } = await store.receive(content(SIZE), signal);
const upload = await store.open(id, signal);
await upload?.close();
await store.remove(id);
clearInterval(measuring);
rmSync(directory, { recursive: true });
process.send?.({ growth: most - before, sha256 });
bucket.close();
