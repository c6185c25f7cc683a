import type { Readable } from 'node:stream';

export interface Upload {
  /** Made by the store; names the file. */
  id: string;
  /** Bytes. */
  size: number;
  /** Hex digits, of the whole file. */
  sha256: string;
}

/** Files that wait to be ingested, or are. */
export interface UploadStore {
  /**
   * Writes a stream to disk as it comes, in bounded memory. Once it resolves the file survives a crash and a power failure;
   * when it rejects, or the signal is aborted, nothing is left. Rejects with `unavailable` where there is no room.
   */
  receive(content: Readable, signal: AbortSignal): Promise<Upload>;
  /** Where the file is, for who reads it. */
  pathOf(id: string): string;
  exists(id: string): Promise<boolean>;
  /** Also what was made of it while it was read: files whose names begin with the same. What is not there is no error. */
  remove(id: string): Promise<void>;
  /** Removes what nobody needs: parts that a crash left, and files whose ids are not among these. */
  tidy(needed: ReadonlySet<string>): Promise<void>;
}
