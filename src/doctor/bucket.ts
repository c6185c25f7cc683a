import { parseBucketUrl } from '../core/bucket-url.ts';
import type { Finding } from './findings.ts';

export interface BucketSettings {
  uploadsUrl?: string | undefined;
  s3AccessKeyId?: string | undefined;
  s3SecretAccessKey?: string | undefined;
}

/** Stores a probe in the bucket of uploads and removes it. */
export async function findingsOfBucket(settings: BucketSettings): Promise<Finding[]> {
  if (settings.uploadsUrl === undefined) return [];
  const url = parseBucketUrl(settings.uploadsUrl);
  const [{ openBucket, UPLOADS_SETTING, uploadsPrefix }, { examineBucket }] = await Promise.all([
    import('../storage/uploads/s3/open.ts'),
    import('../storage/uploads/s3/examine.ts'),
  ]);
  const bucket = openBucket(url, settings, UPLOADS_SETTING);
  try {
    const findings = await examineBucket(bucket, uploadsPrefix(url));
    return findings.map((finding) => ({ check: 'bucket of uploads', ...finding }));
  } finally {
    bucket.close();
  }
}
