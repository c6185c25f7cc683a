import { join } from 'node:path';
import { PeriodicTask } from '../core/base/concurrency/timers.ts';
import type { UploadStore } from '../core/knowledge/uploads.ts';
import { UPLOAD_COPIES_DIRECTORY, UPLOADS_DIRECTORY } from '../storage/installation/names.ts';
import { FileUploadStore } from '../storage/uploads/files.ts';
import type { OpenStores } from './open-stores.ts';

/** Crashes leave little, and only what is a day old is removed. */
const TIDY_MS = 6 * 3_600_000;
const MEGABYTE = 1024 * 1024;

export interface Uploads {
  store: UploadStore;
  /** Before the first upload and job. `needed`: the uploads of jobs that have not ended. */
  begin(needed: string[], neededLater: () => Promise<string[]>): Promise<void>;
  close(): Promise<void>;
}

type UploadParts = Pick<OpenStores, 'config' | 'postgres' | 'log' | 'effects'>;

/** In the data directory, or in the bucket that nodes share. */
export async function openUploads(parts: UploadParts): Promise<Uploads> {
  return parts.config.nodes === null ? inFiles(parts) : inBucket(parts, parts.config.nodes.uploadsUrl);
}

function inFiles({ config, effects }: UploadParts): Uploads {
  // The owner of the data directory is alone in it.
  const directory = join(config.dataDir, UPLOADS_DIRECTORY);
  const store = new FileUploadStore({ directory, isExclusive: true, newId: effects.newId });
  return {
    store,
    begin: (needed) => store.removeUnneeded(new Set(needed)),
    close: async () => undefined,
  };
}

async function inBucket({ config, postgres, log, effects }: UploadParts, uploadsUrl: string): Promise<Uploads> {
  const { openS3Uploads } = await import('../storage/uploads/s3/uploads.ts');
  const { BucketFault } = await import('../storage/uploads/s3/faults.ts');
  const warn = (error: unknown) => log.warn({ err: error }, 'storage of uploads');
  const { store, close } = openS3Uploads({
    uploadsUrl,
    installationId: postgres!.installationId,
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
      tidying = new PeriodicTask({ everyMs: TIDY_MS, run: async () => tidy(await neededLater()), onError: warn });
    },
    close: async () => {
      await tidying?.close();
      await close();
    },
  };
}
