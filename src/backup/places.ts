import { createReadStream, createWriteStream, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { diskFullError, syncDirectory } from '../storage/installation/disk.ts';
import { createExclusively, removeOwn } from '../storage/installation/exclusive-file.ts';
import { partialOf } from './files.ts';

export interface BackupTarget {
  /** The absolute path or the URL without options. */
  name: string;
  /** Returns the size in bytes. Unless it resolves, nothing there looks like a backup. */
  write(produce: (output: Writable) => Promise<void>, atMost: number): Promise<number>;
  /** Ends a `write` that is under way and removes what it left. */
  discard(): Promise<void>;
}

export interface BackupSource {
  name: string;
  /** Bytes. */
  size: number;
  read(): Readable;
}

/** Streams into a `.partial` file and renames it at the end. */
export function fileTarget(file: string): BackupTarget {
  const partial = partialOf(file);
  return {
    name: file,
    write: async (produce) => {
      const descriptor = createExclusively(partial);
      try {
        await produce(createWriteStream(partial, { fd: descriptor, flush: true }));
        renameSync(partial, file);
        syncDirectory(dirname(file));
      } catch (error) {
        removeOwn(partial);
        throw diskFullError(file, error);
      }
      return statSync(file).size;
    },
    discard: async () => removeOwn(partial),
  };
}

export function fileSource(file: string): BackupSource {
  return {
    name: file,
    size: statSync(file).size,
    read: () => createReadStream(file, { highWaterMark: 256 * 1024 }),
  };
}
