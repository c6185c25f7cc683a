import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { Scratch } from '../../../src/storage/s3/scratch.ts';
import { S3UploadStore } from '../../../src/storage/s3/uploads.ts';
import { testUploadStore, type UploadPlace } from '../../contracts/upload-store.ts';
import { temporaryDirectory } from '../../support/app.ts';
import { type S3, startS3 } from '../../support/s3.ts';

const MEGABYTE = 1024 * 1024;
const PREFIX = 'team/uploads/';

function openStore(t: TestContext, s3: S3, options: Partial<ConstructorParameters<typeof S3UploadStore>[0]> = {}) {
  const scratch = new Scratch({ directory: join(temporaryDirectory(t), 'scratch'), maxBytes: 100 * MEGABYTE });
  return new S3UploadStore({ bucket: s3.bucket(), prefix: PREFIX, scratch, maxBytes: 100 * MEGABYTE, ...options });
}

async function newPlace(t: TestContext): Promise<UploadPlace> {
  const s3 = await startS3(t);
  return {
    open: (options) => openStore(t, s3, options),
    stored: () => [...s3.keys(), ...s3.unfinished()].map((key) => key.replace(PREFIX, '')).sort(),
    age: s3.age,
    large: 5 * MEGABYTE,
  };
}

testUploadStore('S3UploadStore', newPlace);
