import { type BucketUrl, parseBucketUrl } from '../../../core/bucket-url.ts';
import { Bucket } from './bucket.ts';
import { Scratch } from './scratch.ts';
import { S3UploadStore } from './uploads.ts';

export interface S3Settings {
  s3AccessKeyId?: string | undefined;
  s3SecretAccessKey?: string | undefined;
}

/** `setting`: names it in messages. */
export function openBucket(url: BucketUrl, { s3AccessKeyId, s3SecretAccessKey }: S3Settings, setting: string): Bucket {
  const credentials =
    s3AccessKeyId !== undefined && s3SecretAccessKey !== undefined
      ? { accessKeyId: s3AccessKeyId, secretAccessKey: s3SecretAccessKey }
      : null;
  return new Bucket({ url, credentials, setting });
}

export interface S3UploadsOptions extends S3Settings {
  uploadsUrl: string;
  /** Several installations may have the same URL. */
  installationId: string;
  /** For copies that are read; of this process alone, and emptied. */
  scratchDirectory: string;
  /** Of one upload. */
  maxBytes: number;
  newId: () => string;
  onFault: (error: unknown) => void;
}

export interface S3Uploads {
  store: S3UploadStore;
  close(): Promise<void>;
}

export function openS3Uploads(options: S3UploadsOptions): S3Uploads {
  const { installationId, scratchDirectory, maxBytes, newId, onFault } = options;
  const url = parseBucketUrl(options.uploadsUrl);
  const bucket = openBucket(url, options, UPLOADS_SETTING);
  const scratch = new Scratch({ directory: scratchDirectory, maxBytes: SCRATCH_UPLOADS * maxBytes });
  const prefix = `${uploadsPrefix(url)}${installationId}/`;
  return {
    store: new S3UploadStore({ bucket, prefix, scratch, maxBytes, newId, onFault }),
    close: async () => {
      await scratch.clear();
      bucket.close();
    },
  };
}

/** What keys of all uploads begin with: backups may be beside them. */
export function uploadsPrefix({ path }: BucketUrl): string {
  return `${path === '' || path.endsWith('/') ? path : `${path}/`}uploads/`;
}

export const UPLOADS_SETTING = 'AGENT_RUNTIME_UPLOADS_URL';
/** The scratch directory holds as many uploads of the largest size. */
const SCRATCH_UPLOADS = 2;
