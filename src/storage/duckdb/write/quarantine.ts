import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { syncDirectory } from '../../files/disk.ts';

/** Something that could not be moved to the tables, as it was found. */
export interface Quarantined {
  /** ISO 8601. */
  at: string;
  tenantId: string;
  reason: string;
  /** The event, or the text of a batch that is no JSON. */
  content: unknown;
}

/**
 * A file of NDJSON lines for what the engine refuses, so that one bad event holds up nobody and is not lost either. It
 * can be mended by hand and sent again (docs/operation.md).
 */
export class Quarantine {
  private readonly path: string;
  private lines: number;

  constructor(path: string) {
    this.path = path;
    this.lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean).length : 0;
  }

  /** How many lines there are. */
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
      // The file may be new.
      if (size === 0) syncDirectory(dirname(this.path));
    } catch (error) {
      ftruncateSync(file, size); // No torn line: its event will come again.
      throw error;
    } finally {
      closeSync(file);
    }
    this.lines += entries.length;
  }

  /** What is so. */
  find(isFound: (entry: Quarantined) => boolean): Quarantined[] {
    return this.read()
      .map(parsed)
      .filter((entry) => entry !== null)
      .filter(isFound);
  }

  /** Takes out what `isRemoved` says, for good when it returns. Returns how many lines that were. */
  remove(isRemoved: (entry: Quarantined) => boolean): number {
    const lines = this.read();
    this.lines = lines.length;
    if (lines.length === 0) return 0;
    const kept = lines.filter((line) => {
      const entry = parsed(line);
      // Of a torn line nobody can say whose it is; what it was about has come again.
      return entry !== null && !isRemoved(entry);
    });
    if (kept.length === lines.length) return 0;
    writeFileSync(`${this.path}.partial`, kept.map((line) => `${line}\n`).join(''), { mode: 0o600, flush: true });
    renameSync(`${this.path}.partial`, this.path);
    syncDirectory(dirname(this.path));
    this.lines = kept.length;
    return lines.length - kept.length;
  }

  private read(): string[] {
    // Somebody may have deleted it, once all was mended.
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
