import type { Readable } from 'node:stream';

export interface Upload {
  /** Also the name of the file. */
  id: string;
  /** Bytes. */
  size: number;
  sha256: string;
}

export interface UploadStore {
  /** Bounded memory. Durable when it resolves, else nothing is left. `unavailable`: disk full. */
  receive(content: Readable, signal: AbortSignal): Promise<Upload>;
  pathOf(id: string): string;
  exists(id: string): Promise<boolean>;
  /** With derived files, whose names begin with the id. A missing file is not an error. */
  remove(id: string): Promise<void>;
  /** Also partial files of crashes. */
  removeUnneeded(needed: ReadonlySet<string>): Promise<void>;
}
