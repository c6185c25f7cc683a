import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { PeriodicTask } from '../core/base/concurrency/timers.ts';
import type { UploadStore } from '../core/knowledge/uploads.ts';
import { UPLOAD_COPIES_DIRECTORY, UPLOADS_DIRECTORY } from '../storage/installation/names.ts';
import { FileUploadStore } from '../storage/uploads/files.ts';
import type { S3UploadStore } from '../storage/uploads/s3/uploads.ts';
import type { Foundation } from './foundation.ts';

/** Crashes leave little, and only what is a day old is removed. */
const TIDY_MS = 6 * 3_600_000;
const MEGABYTE = 1024 * 1024;

export interface Uploads {
  store: UploadStore;
  /** Before the first upload and job. `needed`: the uploads of jobs that have not ended. */
  begin(needed: string[], neededLater: () => Promise<string[]>): Promise<void>;
  close(): Promise<void>;
}

type UploadParts = Pick<Foundation, 'config' | 'manifest' | 'postgres' | 'log' | 'effects'>;

/** In the data directory, or in the bucket of AGENT_RUNTIME_UPLOADS_URL. */
export async function openUploads(parts: UploadParts): Promise<Uploads> {
  return parts.config.uploadsUrl === undefined ? inFiles(parts) : inBucket(parts, parts.config.uploadsUrl);
}

function inFiles({ config, effects }: UploadParts): Uploads {
  const store = filesOf(config.dataDir, effects.newId);
  return {
    store,
    begin: (needed) => store.removeUnneeded(new Set(needed)),
    close: async () => undefined,
  };
}

/** The owner of the data directory is alone in it. */
function filesOf(dataDir: string, newId?: () => string): FileUploadStore {
  const directory = join(dataDir, UPLOADS_DIRECTORY);
  return new FileUploadStore({ directory, isExclusive: true, ...(newId && { newId }) });
}

async function inBucket(
  { config, manifest, postgres, log, effects }: UploadParts,
  uploadsUrl: string,
): Promise<Uploads> {
  const { openS3Uploads } = await import('../storage/uploads/s3/open.ts');
  const { BucketFault } = await import('../storage/uploads/s3/faults.ts');
  const { s3AccessKeyId, s3SecretAccessKey } = config;
  const warn = (error: unknown) => log.warn({ err: error }, 'storage of uploads');
  const { store, close } = openS3Uploads({
    uploadsUrl,
    s3AccessKeyId,
    s3SecretAccessKey,
    // Nodes that share everything are one installation.
    installationId: config.clickhouseUrl === undefined ? manifest.id : postgres!.installationId,
    scratchDirectory: join(config.dataDir, UPLOAD_COPIES_DIRECTORY),
    maxBytes: Math.floor(config.uploadLimit * MEGABYTE),
    newId: effects.newId,
    onFault: warn,
  });
  const tidy = async (ids: string[]) => store.removeUnneeded(new Set(ids));
  let tidying: PeriodicTask | undefined;
  return {
    store,
    begin: async (needed, neededLater) => {
      // A wrong setting ends the start. A server that is away does not.
      await tidy(needed).catch((error: unknown) => {
        if (!(error instanceof BucketFault) || error.isSetting) throw error;
        warn(error);
      });
      await moveFromFiles(config.dataDir, store, needed);
      tidying = new PeriodicTask({ everyMs: TIDY_MS, run: async () => tidy(await neededLater()), onError: warn });
    },
    close: async () => {
      await tidying?.close();
      await close();
    },
  };
}

/** The setting is new: files wait in the data directory whose jobs would not find them. */
async function moveFromFiles(dataDir: string, store: S3UploadStore, needed: string[]): Promise<void> {
  if (!existsSync(join(dataDir, UPLOADS_DIRECTORY))) return;
  const files = filesOf(dataDir);
  for (const id of needed) {
    const upload = await files.open(id);
    if (upload) await store.receive(createReadStream(upload.path), new AbortController().signal, id);
    await files.remove(id);
  }
  await files.removeUnneeded(new Set());
}
