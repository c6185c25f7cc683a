import type { Readable } from 'node:stream';

export interface Upload {
  id: string;
  /** Bytes. */
  size: number;
  sha256: string;
}

/** A file on this machine, until it is closed. */
export interface OpenUpload {
  /**
   * Readers may write derived files `<path>.<what>`. The same path at a later opening means that
   * these files are still there; at another path they have to be made again.
   */
  path: string;
  close(): Promise<void>;
}

/** Several processes may use one place. Any method may reject with `unavailable`. */
export interface UploadStore {
  /** Bounded memory. Durable when it resolves, else nothing is left. `unavailable`: disk full. */
  receive(content: Readable, signal: AbortSignal): Promise<Upload>;
  /** Null for an unknown upload. Waits for disk space that other open uploads use. */
  open(id: string, signal: AbortSignal): Promise<OpenUpload | null>;
  /** With derived files. A missing file is not an error. */
  remove(id: string): Promise<void>;
  /**
   * Removes uploads that are not needed, and what crashes left; never what another process has
   * received or is receiving: its job may be yet to come.
   */
  removeUnneeded(needed: ReadonlySet<string>): Promise<void>;
}

/** An upload that is younger may get its job still. */
export const UNNEEDED_AFTER_MS = 24 * 3_600_000;
