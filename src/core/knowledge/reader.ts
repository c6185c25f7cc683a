import type { DocumentFormat } from './formats.ts';
import type { Hygiene } from './hygiene.ts';

/** Where in a file something stands, counted from 1. */
export interface Place {
  page?: number;
  /** Of a CSV, without its header; of JSON the element of the array, or the line. */
  row?: number;
  /** As an editor counts them. */
  line?: number;
}

/** How a file is read. */
export interface ReadOptions {
  format: DocumentFormat;
  /** One character; absent: sniffed. */
  csvDelimiter?: string;
  /** Those whose values become text; absent: all. */
  csvContentColumns?: string[];
  csvMetadataColumns?: string[];
  hygiene: Hygiene;
}

/** A text as it is found again: the smallest thing that is stored, embedded and cited. */
export interface Chunk {
  text: string;
  /** The headings that it stands under, outermost first. */
  headings: string[];
  place: Place;
  /** Of its own, beside what the document has. */
  metadata: Record<string, unknown> | null;
}

/** Plain JSON, of the format's own making: where reading goes on. */
export type Position = unknown;

/** What looking over a file once has told: its encoding, its delimiter, where its text was unpacked to. Plain JSON. */
export type Prepared = Record<string, unknown>;

/** Some of a document. */
export interface Slice {
  chunks: Chunk[];
  /** Null: that was the end. */
  next: Position | null;
  /** How much of the file has been read, 0 to 1. */
  done: number;
}

/**
 * A document that cannot be read, or no further. The message says where, what is wrong, and what to do. It may quote from
 * the document; what nobody can see of that is left out.
 */
export class UnreadableDocument extends Error {
  constructor(message: string) {
    super(message.replace(/\p{Cc}+/gu, ' ').toWellFormed());
    this.name = 'UnreadableDocument';
  }
}

/** What is read, and for whom: no tenant takes all threads from the others. */
export interface ReadTask {
  tenantId: string;
  options: ReadOptions;
  /** Aborted, it ends the work at once, an endless loop too. */
  signal: AbortSignal;
}

/**
 * Reads documents in threads. Everything that it is given and gives is plain data. What cannot be read, or takes too long,
 * throws UnreadableDocument, and `unavailable` where the disk has no room for what is unpacked.
 */
export interface DocumentReader {
  /** The columns of a CSV's header. */
  columns(path: string, task: ReadTask): Promise<string[]>;
  prepare(path: string, task: ReadTask): Promise<Prepared>;
  /** From a position on, which is null at the beginning, some hundred chunks. */
  read(prepared: Prepared, from: Position | null, task: ReadTask): Promise<Slice>;
}

/** Changes with whatever changes chunks: a job that another version began starts again. */
export const READER_VERSION = 2;
