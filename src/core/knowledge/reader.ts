import type { Hygiene } from './hygiene.ts';

export const FORMATS = ['pdf', 'docx', 'txt', 'md', 'json', 'csv'] as const;

export type DocumentFormat = (typeof FORMATS)[number];

const FORMAT_OF: Record<string, DocumentFormat> = {
  pdf: 'pdf',
  docx: 'docx',
  txt: 'txt',
  text: 'txt',
  log: 'txt',
  md: 'md',
  markdown: 'md',
  json: 'json',
  jsonl: 'json',
  ndjson: 'json',
  csv: 'csv',
  tsv: 'csv',
};

/** Without a dot. */
export const EXTENSIONS = Object.keys(FORMAT_OF);

/** Null when the extension is not supported. */
export function formatOf(fileName: string): DocumentFormat | null {
  const extension = /\.([^./\\]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(FORMAT_OF, extension) ? FORMAT_OF[extension]! : null;
}

/** Counted from 1. */
export interface Place {
  page?: number;
  /** The row of a CSV without its header; the element or the line of JSON. */
  row?: number;
  line?: number;
}

export interface ReadOptions {
  format: DocumentFormat;
  csvDelimiter?: string;
  csvContentColumns?: string[];
  csvMetadataColumns?: string[];
  hygiene: Hygiene;
}

export interface Chunk {
  text: string;
  /** Outermost first. */
  headings: string[];
  place: Place;
  /** In addition to the document's. */
  metadata: Record<string, unknown> | null;
}

/** Where to resume; plain JSON, defined by the format. */
export type Position = unknown;

/** The result of a first pass, such as encoding and delimiter; plain JSON. */
export type Prepared = Record<string, unknown>;

export interface Slice {
  chunks: Chunk[];
  /** Null at the end. */
  next: Position | null;
  /** 0 to 1. */
  done: number;
  /** On what is not read, and what was guessed. */
  notes?: string[];
}

/** The message names the position, the fault and the remedy, without control characters. */
export class UnreadableDocument extends Error {
  constructor(message: string) {
    super(message.replace(/\p{Cc}+/gu, ' ').toWellFormed());
    this.name = 'UnreadableDocument';
  }
}

export interface ReadTask {
  tenantId: string;
  options: ReadOptions;
  /** Aborting ends the work immediately, even an endless loop. */
  signal: AbortSignal;
}

/** Reads in threads. Throws UnreadableDocument, and `unavailable` when the disk is full. */
export interface DocumentReader {
  columns(path: string, task: ReadTask): Promise<string[]>;
  prepare(path: string, task: ReadTask): Promise<Prepared>;
  /** Some hundred chunks; `from` null: the beginning. */
  read(prepared: Prepared, from: Position | null, task: ReadTask): Promise<Slice>;
}

/** Increase it with every change of chunks: jobs of another version start again. */
export const READER_VERSION = 3;
