import { chunksOf, type Passage } from '../core/knowledge/chunking.ts';
import type { DocumentFormat } from '../core/knowledge/formats.ts';
import { clean, cleanFields } from '../core/knowledge/hygiene.ts';
import type { Chunk, Position, Prepared, ReadOptions, Slice } from '../core/knowledge/reader.ts';
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
  for await (const section of format.read(prepared, from, options)) {
    chunks.push(...chunksOf(cleaned(section, options)));
    const { next, done } = section;
    if (chunks.length >= enough || performance.now() - started >= SLICE_MS) return { chunks, next, done };
  }
  return { chunks, next: null, done: 1 };
}

function cleaned(section: Section, { hygiene }: ReadOptions): Passage {
  const { content } = section;
  if (typeof content !== 'string') return { ...section, content: cleanFields(content, hygiene) };
  const text = clean(content, hygiene);
  return { ...section, content: text, linesMoved: text !== content };
}
