import { createReadStream, createWriteStream, existsSync, realpathSync, renameSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { type Readable, Writable } from 'node:stream';
import { conflict, invalid, notFound } from '../core/base/shared/errors.ts';
import { createExclusively, diskFullError, removeOwn, syncDirectory } from '../storage/installation/disk.ts';
import { isOfDataDirectory } from './files.ts';

export interface BackupTarget {
  /** The absolute path, or "standard output". */
  name: string;
  /** Returns the size in bytes. Unless it resolves, nothing there opens as a backup. */
  write(produce: (output: Writable) => Promise<void>): Promise<number>;
  /** Removes what an interrupted `write` left. */
  discard(): void;
}

export interface BackupSource {
  name: string;
  /** Bytes; 0 when unknown. */
  size: number;
  read(): Readable;
}

export interface TargetOptions {
  dataDir: string;
  mayReplace: boolean;
  standardOutput: NodeJS.WriteStream;
}

/** `-` is standard output. Throws `conflict` for a file that exists and may not be replaced. */
export function backupTarget(name: string, { dataDir, mayReplace, standardOutput }: TargetOptions): BackupTarget {
  if (name === '-') return streamTarget(standardOutput);
  const file = resolve(name);
  if (!existsSync(dirname(file))) throw notFound(`There is no directory ${dirname(file)}.`);
  if (isOfDataDirectory(basename(file)) && realpathSync(dirname(file)) === realpathSync(dataDir)) {
    throw conflict(`${file} belongs to what is being backed up. Choose another name.`);
  }
  if (existsSync(file)) {
    if (!statSync(file).isFile()) throw conflict(`${file} is not a file.`);
    if (!mayReplace) {
      throw conflict(`${file} exists already. Choose another name, or replace it with --force.`);
    }
  }
  return fileTarget(file);
}

/** `-` is standard input. Throws `not_found`. */
export function backupSource(name: string): BackupSource {
  if (name === '-') return { name: 'standard input', size: 0, read: () => process.stdin };
  const file = resolve(name);
  if (!existsSync(file) || !statSync(file).isFile()) throw notFound(`There is no file ${file}.`);
  return {
    name: file,
    size: statSync(file).size,
    read: () => createReadStream(file, { highWaterMark: 256 * 1024 }),
  };
}

/** Streams into a `.partial` file and renames it at the end. */
export function fileTarget(file: string): BackupTarget {
  const partial = `${file}.partial`;
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
    discard: () => removeOwn(partial),
  };
}

function streamTarget(stream: NodeJS.WriteStream): BackupTarget {
  if (stream.isTTY) {
    throw invalid('-: standard output is a terminal; send it to a file or to a program that stores it');
  }
  return {
    name: 'standard output',
    write: async (produce) => {
      let bytes = 0;
      // Ending it must not close the stream.
      const output = new Writable({
        write: (chunk: Buffer, _encoding, done) => {
          bytes += chunk.length;
          stream.write(chunk, done);
        },
      });
      await produce(output);
      return bytes;
    },
    discard: () => undefined,
  };
}
