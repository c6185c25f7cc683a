import type { DocumentFormat } from './formats.ts';
import type { Hygiene } from './hygiene.ts';

/** A position in a file for people, counted from 1. */
export interface Place {
  page?: number;
  /** Of a CSV, not counting the header; of JSON the array element or the line. */
  row?: number;
  line?: number;
}

export interface ReadOptions {
  format: DocumentFormat;
  /** One character; absent: detected. */
  csvDelimiter?: string;
  /** Columns whose values become text; absent: all. */
  csvContentColumns?: string[];
  csvMetadataColumns?: string[];
  hygiene: Hygiene;
}

/** The smallest unit that is stored, embedded and cited. */
export interface Chunk {
  text: string;
  /** Outermost first. */
  headings: string[];
  place: Place;
  /** In addition to the document's. */
  metadata: Record<string, unknown> | null;
}

/** Where to resume reading; plain JSON, defined by the format. */
export type Position = unknown;

/** The result of a first pass over a file, such as its encoding and delimiter. Plain JSON. */
export type Prepared = Record<string, unknown>;

export interface Slice {
  chunks: Chunk[];
  /** Null at the end. */
  next: Position | null;
  /** The share of the file that has been read, 0 to 1. */
  done: number;
}

/**
 * A document that cannot be read. The message names the position, the fault and the remedy, without
 * invisible characters.
 */
export class UnreadableDocument extends Error {
  constructor(message: string) {
    super(message.replace(/\p{Cc}+/gu, ' ').toWellFormed());
    this.name = 'UnreadableDocument';
  }
}

/** What to read, and for which tenant, so that no tenant occupies all threads. */
export interface ReadTask {
  tenantId: string;
  options: ReadOptions;
  /** Aborting ends the work at once, even an endless loop. */
  signal: AbortSignal;
}

/**
 * Reads documents in threads; arguments and results are plain data. Throws UnreadableDocument for a
 * document that cannot be read or takes too long, and `unavailable` when the disk has no space for
 * unpacking.
 */
export interface DocumentReader {
  /** The header of a CSV. */
  columns(path: string, task: ReadTask): Promise<string[]>;
  prepare(path: string, task: ReadTask): Promise<Prepared>;
  /** Some hundred chunks from a position; null is the beginning. */
  read(prepared: Prepared, from: Position | null, task: ReadTask): Promise<Slice>;
}

/** Raise it with every change of chunks: jobs begun by another version start again. */
export const READER_VERSION = 2;
