import type { Readable } from 'node:stream';

export interface Upload {
  /** Also the name of the file. */
  id: string;
  /** Bytes. */
  size: number;
  /** Hex digits. */
  sha256: string;
}

/** Uploaded files of unfinished jobs. */
export interface UploadStore {
  /**
   * Streams to disk in bounded memory. Once it resolves, the file survives a crash and a power
   * failure; when it rejects or is aborted, nothing is left. Rejects with `unavailable` when the
   * disk is full.
   */
  receive(content: Readable, signal: AbortSignal): Promise<Upload>;
  pathOf(id: string): string;
  exists(id: string): Promise<boolean>;
  /** With files derived from it, whose names begin with the id. A missing file is not an error. */
  remove(id: string): Promise<void>;
  /** Removes partial files of crashes and files whose ids are not needed. */
  removeUnneeded(needed: ReadonlySet<string>): Promise<void>;
}
