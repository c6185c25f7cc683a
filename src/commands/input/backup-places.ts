import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { BucketPlace } from '../../backup/bucket-places.ts';
import { isOfDataDirectory } from '../../backup/files.ts';
import { type BackupSource, type BackupTarget, fileSource, fileTarget } from '../../backup/places.ts';
import type { Config } from '../../config.ts';
import { invalid, notFound, RuntimeError } from '../../core/base/shared/errors.ts';
import { bucketUrlProblem, parseBucketUrl, S3_SCHEME } from '../../core/bucket-url.ts';
import { existingFile } from './input.ts';

/** A file, or an object of a bucket (`s3://...`). `conflict`: it exists and may not be replaced. */
export async function backupTarget(name: string, config: Config, mayReplace: boolean): Promise<BackupTarget> {
  if (name.startsWith(S3_SCHEME)) {
    const { bucketTarget } = await import('../../backup/bucket-places.ts');
    return bucketTarget(await placeOf(name, config), { now: Date.now(), mayReplace });
  }
  const file = resolve(name);
  refuseFile(file, config, mayReplace);
  return fileTarget(file);
}

/** Throws `not_found`. */
export async function backupSource(name: string, config: Config): Promise<BackupSource> {
  if (!name.startsWith(S3_SCHEME)) return fileSource(existingFile(name));
  const { bucketSource } = await import('../../backup/bucket-places.ts');
  return bucketSource(await placeOf(name, config));
}

async function placeOf(name: string, config: Config): Promise<BucketPlace> {
  const problem = bucketUrlProblem(name);
  if (problem !== null) throw invalid(`The place of the backup: ${problem}`);
  const url = parseBucketUrl(name);
  const { openBucket } = await import('../../storage/uploads/s3/open.ts');
  return { url, bucket: openBucket(url, config, `s3://${url.bucket}`) };
}

function refuseFile(file: string, { dataDir }: Config, mayReplace: boolean): void {
  if (!existsSync(dirname(file))) throw notFound(`There is no directory ${dirname(file)}.`);
  if (isOfDataDirectory(basename(file)) && realpathSync(dirname(file)) === realpathSync(dataDir)) {
    throw new RuntimeError('conflict', `${file} belongs to what is being backed up. Choose another name.`);
  }
  if (!existsSync(file)) return;
  if (!statSync(file).isFile()) throw new RuntimeError('conflict', `${file} is not a file.`);
  if (mayReplace) return;
  throw new RuntimeError('conflict', `${file} exists already. Choose another name, or replace it with --force.`);
}
