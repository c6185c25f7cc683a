import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { syncDirectory, writeDurably } from '../../../installation/disk.ts';
import { textIfExists } from '../../../installation/unusable.ts';

export interface Quarantined {
  /** ISO 8601. */
  at: string;
  tenantId: string;
  reason: string;
  /** The event, or the text of a batch that is not JSON. */
  content: unknown;
}

/** NDJSON dead-letter file: a refused event blocks no other and is not lost (docs/operation.md). */
export class Quarantine {
  private readonly path: string;
  private lines: number;

  constructor(path: string) {
    this.path = path;
    this.lines = (textIfExists(path) ?? '').split('\n').filter(Boolean).length;
  }

  get count(): number {
    return this.lines;
  }

  /** Durable when it returns. */
  add(entries: Quarantined[]): void {
    if (entries.length === 0) return;
    const file = openSync(this.path, 'a', 0o600);
    const { size } = fstatSync(file);
    try {
      appendFileSync(file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
      fsyncSync(file);
      // A new file needs its directory entry on disk too.
      if (size === 0) syncDirectory(dirname(this.path));
    } catch (error) {
      ftruncateSync(file, size); // Leaves no torn line: the flush is retried, and adds the entry again.
      throw error;
    } finally {
      closeSync(file);
    }
    this.lines += entries.length;
  }

  find(isFound: (entry: Quarantined) => boolean): Quarantined[] {
    return this.read()
      .map(parsed)
      .filter((entry) => entry !== null)
      .filter(isFound);
  }

  /** Durable. Returns the number of removed entries. */
  remove(isRemoved: (entry: Quarantined) => boolean): number {
    const lines = this.read();
    this.lines = lines.length;
    if (lines.length === 0) return 0;
    const kept = lines.filter((line) => {
      const entry = parsed(line);
      // The tenant of a torn line is unknown; a retried flush has added it again.
      return entry !== null && !isRemoved(entry);
    });
    if (kept.length === lines.length) return 0;
    writeDurably(this.path, kept.map((line) => `${line}\n`).join(''));
    this.lines = kept.length;
    return lines.length - kept.length;
  }

  private read(): string[] {
    // An operator may have deleted the file.
    return existsSync(this.path) ? readFileSync(this.path, 'utf8').split('\n').filter(Boolean) : [];
  }
}

function parsed(line: string): Quarantined | null {
  try {
    return JSON.parse(line) as Quarantined;
  } catch {
    return null;
  }
}
