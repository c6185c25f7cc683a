import { accessSync, constants, type Stats, statSync } from 'node:fs';
import { basename } from 'node:path';
import {
  EVENTS_FILE,
  EVENTS_LOG_FILE,
  KNOWLEDGE_FILE,
  SEALING_KEYS_FILE,
  SECRET_FILE,
  SPOOL_FILE,
  STATE_FILE,
} from './files.ts';

/** A stored file that cannot be worked with. Its message is one line: which file, what is wrong, what to do. */
export class UnusableFile extends Error {
  constructor(path: string, what: string, options?: ErrorOptions) {
    super(`${path} ${what}`, options);
    // An own property: so it survives the way from thread to thread, where the class does not.
    Object.defineProperty(this, 'name', { value: 'UnusableFile', enumerable: true });
  }
}

export function isUnusableFile(error: unknown): error is Error & { name: 'UnusableFile' } {
  return error instanceof Error && error.name === 'UnusableFile';
}

const READ_ON = 'See "When a file is damaged" in docs/operation.md.';

/** What a damaged file means and what to do, for `doctor` and for a start that fails alike. */
const ADVICE: Record<string, string> = {
  [STATE_FILE]:
    'It holds tenants, keys and dashboards; events are not affected, but belong to these tenants. Stop everything on the directory and restore a backup, or put the latest copy from snapshots/ in its place.',
  [SPOOL_FILE]:
    'It holds events that were accepted and are not queryable yet, and the ids by which repeated events are recognized; what was queryable is not affected. Stop everything on the directory and restore a backup; or move spool.sqlite, spool.sqlite-wal and spool.sqlite-shm aside together and start, without what only they held.',
  [EVENTS_FILE]:
    'It holds the queryable events; those that wait in spool.sqlite are not affected. Stop everything on the directory and restore a backup; or move every file that begins with events.duckdb aside and start with no events but those that wait.',
  [EVENTS_LOG_FILE]:
    'It holds the newest queryable events, up to some minutes of them. Stop everything on the directory and restore a backup; or move events.duckdb.wal alone aside and start, without what only it held.',
  [KNOWLEDGE_FILE]:
    'It holds vector stores, their documents, and which uploaded files wait to be ingested; nothing else is affected. Stop everything on the directory and restore a backup; or move every file that begins with knowledge.sqlite aside, start without them, and upload the files again.',
  [SECRET_FILE]:
    'It is what the keys of portal sessions are derived from. Put back your copy of it, or restore a backup with its passphrase; or move it aside: a new one is made, and everyone logs in again.',
  [SEALING_KEYS_FILE]:
    'It holds the keys that secrets of providers and credentials are sealed with. Put back your copy of it, or restore a backup with its passphrase; or move it aside, run `secrets rotate --abandon-lost`, apply providers with secrets again and set credentials again.',
};

/** `what` goes on after the file's name: "is empty". */
export function damaged(path: string, what: string, cause?: unknown): UnusableFile {
  const name = basename(path).replace(/-(wal|shm)$/, '');
  return new UnusableFile(path, `${what}. ${ADVICE[name] ?? ''} ${READ_ON}`, { cause });
}

/** Null when there is no file. Throws for what is none, and for one that this user may not read and write. */
export function statFile(path: string): Stats | null {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return null;
  if (!stats.isFile()) throw damaged(path, 'is not a file');
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (cause) {
    throw new UnusableFile(path, 'cannot be opened: this user may not read and write it. Mend its owner and mode.', {
      cause,
    });
  }
  return stats;
}
