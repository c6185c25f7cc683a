import { chunksOf, type Passage } from '../core/knowledge/chunking.ts';
import { clean, cleanFields } from '../core/knowledge/hygiene.ts';
import type { Chunk, DocumentFormat, Position, Prepared, ReadOptions, Slice } from '../core/knowledge/reader.ts';
import { openTable } from '../core/knowledge/tables.ts';
import type { Format, Section } from './format.ts';

/** Chunks per transaction: smaller batches cost more per chunk. */
const CHUNKS = 500;
/** Milliseconds. Slow pages are stored one by one, to show progress. */
const SLICE_MS = 1_000;

/** Loaded on first use: the PDF reader takes megabytes. */
const FORMATS: Record<DocumentFormat, () => Promise<Format>> = {
  csv: async () => (await import('./formats/csv.ts')).csv,
  json: async () => (await import('./formats/json.ts')).json,
  md: async () => (await import('./formats/markdown.ts')).markdownFormat,
  txt: async () => (await import('./formats/text.ts')).textFormat,
  pdf: async () => (await import('./formats/pdf.ts')).pdf,
  docx: async () => (await import('./formats/docx/format.ts')).docx,
};

export async function prepare(path: string, options: ReadOptions): Promise<Prepared> {
  return (await FORMATS[options.format]()).prepare(path, options);
}

export async function readSlice(
  prepared: Prepared,
  from: Position | null,
  options: ReadOptions,
  enough = CHUNKS,
): Promise<Slice> {
  const format = await FORMATS[options.format]();
  const started = performance.now();
  const chunks: Chunk[] = [];
  const notes: string[] = [];
  const { at, table: before } = (from as SlicePosition | null) ?? { at: null, table: null };
  let table = before;
  for await (const section of format.read(prepared, at, options)) {
    const passage = cleaned(section, options);
    const continued = table?.headings.join('\n') === section.headings.join('\n') ? table.title : undefined;
    chunks.push(...chunksOf({ ...passage, openTable: continued }));
    table = openTableOf(passage, continued);
    notes.push(...(section.notes ?? []));
    const { done } = section;
    const next: SlicePosition = { at: section.next, table };
    if (chunks.length >= enough || performance.now() - started >= SLICE_MS) return { chunks, next, done, notes };
  }
  return { chunks, next: null, done: 1, notes };
}

interface SlicePosition {
  /** The position in the format. */
  at: Position;
  /** A table that the next section continues. */
  table: { title: string; headings: readonly string[] } | null;
}

/** Formats cut long texts; a shorter one ends where its text ends. */
const LEAST_CUT = 8_192;

function openTableOf({ content, headings }: Passage, continued: string | undefined): SlicePosition['table'] {
  if (typeof content !== 'string' || content.length < LEAST_CUT) return null;
  const title = openTable(content, continued);
  return title === undefined ? null : { title, headings };
}

function cleaned(section: Section, { hygiene }: ReadOptions): Passage {
  const { content } = section;
  if (typeof content !== 'string') return { ...section, content: cleanFields(content, hygiene) };
  const text = clean(content, hygiene);
  return { ...section, content: text, linesMoved: text !== content };
}
