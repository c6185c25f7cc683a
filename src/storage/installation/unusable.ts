import { accessSync, constants, readFileSync, type Stats, statSync } from 'node:fs';
import { basename } from 'node:path';
import {
  EVENTS_FILE,
  EVENTS_LOG_FILE,
  INSTALLATION_FILE,
  KNOWLEDGE_FILE,
  QUARANTINE_FILE,
  SEALING_KEYS_FILE,
  SECRET_FILE,
  SPOOL_FILE,
  STATE_FILE,
  UPLOADS_DIRECTORY,
} from './names.ts';

/** Its message is one line: the file, the fault, the remedy. */
export class UnusableFile extends Error {
  constructor(path: string, what: string, options?: ErrorOptions) {
    super(`${path} ${what}`, options);
    // An own property survives transfer between threads.
    Object.defineProperty(this, 'name', { value: 'UnusableFile', enumerable: true });
  }
}

export function isUnusableFile(error: unknown): error is Error & { name: 'UnusableFile' } {
  return error instanceof Error && error.name === 'UnusableFile';
}

export function nullIfUnusable<Result>(read: () => Result): Result | null {
  try {
    return read();
  } catch (error) {
    if (isUnusableFile(error)) return null;
    throw error;
  }
}

const READ_ON = 'See "When a file is damaged" in docs/operation.md.';

const without = (file: string) =>
  `Stop everything on the directory and restore a backup; or move what is left of it aside with \`agent-runtime doctor --accept-loss ${file}\` and start`;

const ADVICE: Record<string, string> = {
  [STATE_FILE]: `It holds tenants, keys and dashboards; events are not affected, but belong to these tenants. ${without(STATE_FILE)} with new tenants and keys. The latest copy in snapshots/ can take its place, too.`,
  [SPOOL_FILE]: `It holds events that were accepted and are not queryable yet, and the ids by which repeated events are recognized; what was queryable is not affected. ${without(SPOOL_FILE)}, without what only it held.`,
  [EVENTS_FILE]: `It holds the queryable events; those that wait in spool.sqlite are not affected. ${without(EVENTS_FILE)}, with no events but those that wait.`,
  [EVENTS_LOG_FILE]: `It holds the newest queryable events, up to some minutes of them. ${without(EVENTS_LOG_FILE)}, without what only it held.`,
  [KNOWLEDGE_FILE]: `It holds vector stores, their documents, and which uploaded files wait to be ingested; nothing else is affected. ${without(KNOWLEDGE_FILE)}, without them, and upload the files again.`,
  [QUARANTINE_FILE]:
    'It holds events that the engine refused, and nothing else. Move whatever is at its path aside and start.',
  [SECRET_FILE]: `It is what the keys of portal sessions and of backups are derived from. Put back your copy of it, or restore a backup; or move it aside with \`agent-runtime doctor --accept-loss ${SECRET_FILE}\`: a new one is made, and everyone logs in again.`,
  [SEALING_KEYS_FILE]: `It holds the keys that secrets of providers and credentials are sealed with. Put back your copy of it, or restore a backup; or move it aside with \`agent-runtime doctor --accept-loss ${SEALING_KEYS_FILE}\`, run \`secrets rotate --abandon-lost\`, apply providers with secrets again and set credentials again.`,
  [INSTALLATION_FILE]: `It lists the files that must exist, and holds nothing else. Put back your copy of it, or restore a backup; or make sure that none of the files is missing, and have the list made again with \`agent-runtime doctor --accept-loss ${INSTALLATION_FILE}\`.`,
  [UPLOADS_DIRECTORY]:
    'It is the directory of files that wait to be ingested. Move whatever is at its path aside and start: it is made again, and the jobs of these files say that they are missing.',
};

/** `what` continues a sentence after the file's name: "is empty". */
export function damaged(path: string, what: string, cause?: unknown): UnusableFile {
  const name = basename(path).replace(/-(wal|shm)$/, '');
  return new UnusableFile(path, `${what}. ${ADVICE[name] ?? ''} ${READ_ON}`, { cause });
}

/** `version`: of the file, in the words of its store. */
export function ofNewerVersion(path: string, version?: string): UnusableFile {
  const which = version === undefined ? '' : ` (${version})`;
  return new UnusableFile(
    path,
    `was written by a newer agent-runtime${which}. Install that version again, or restore the backup made before the upgrade. See "Upgrades" in docs/operation.md.`,
  );
}

/** `version`: of the file, in the words of its store. */
export function ofOlderVersion(path: string, version: string): UnusableFile {
  return new UnusableFile(
    path,
    `was written by an older agent-runtime (${version}), and cannot be read. Use another data directory. See "Upgrades" in docs/operation.md.`,
  );
}

/** Throws if it is not a file, or this user may not read and write it. */
export function statFile(path: string): Stats | null {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return null;
  if (!stats.isFile()) throw damaged(path, 'is not a file');
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (cause) {
    throw new UnusableFile(path, 'cannot be opened: this user may not read and write it. Correct its owner and mode.', {
      cause,
    });
  }
  return stats;
}

export function textIfExists(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    if (code === 'EISDIR') throw damaged(path, 'is not a file');
    throw new UnusableFile(path, `cannot be read (${code}). Correct its owner and mode.`, { cause });
  }
}

export interface StoreIdentity {
  installationId: string;
  /** False for a new store, and until a restored one is opened: opening it writes the id. */
  isMarked: boolean;
}

/** `found`: the id in the store. Throws an UnusableFile. */
export function refuseForeign(path: string, found: string | null, { installationId, isMarked }: StoreIdentity): void {
  if (found === installationId || (found === null && !isMarked)) return;
  const whose = found === null ? 'carries no id of an installation' : `is of another installation (${found})`;
  throw damaged(path, `${whose}; installation.json names ${installationId}`);
}
