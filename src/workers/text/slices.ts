import { chunksOf, type Passage } from '../../core/knowledge/chunking.ts';
import type { DocumentFormat } from '../../core/knowledge/formats.ts';
import { clean, cleanFields } from '../../core/knowledge/hygiene.ts';
import type { Chunk, Position, Prepared, ReadOptions, Slice } from '../../core/knowledge/reader.ts';
import type { Format, Section } from '../format.ts';

/** As many chunks are stored at once: with fewer, each takes longer to store. */
const CHUNKS = 500;
/** Milliseconds: what takes long to read (a page) is stored page by page, and the job's progress moves. */
const ENOUGH_MS = 1_000;

/** Loaded when first asked for: what reads PDFs takes megabytes. */
const FORMATS: Record<DocumentFormat, () => Promise<Format>> = {
  csv: async () => (await import('../formats/csv.ts')).csv,
  json: async () => (await import('../formats/json.ts')).json,
  md: async () => (await import('../formats/markdown.ts')).markdownFormat,
  txt: async () => (await import('../formats/text.ts')).textFormat,
  pdf: async () => (await import('../formats/pdf.ts')).pdf,
  docx: async () => (await import('../formats/docx/format.ts')).docx,
};

export async function prepare(path: string, options: ReadOptions): Promise<Prepared> {
  return (await FORMATS[options.format]()).prepare(path, options);
}

/** Reads sections from a position on, cleans them and cuts them into chunks, until these are enough. */
export async function readSlice(
  prepared: Prepared,
  from: Position | null,
  options: ReadOptions,
  enough = CHUNKS,
): Promise<Slice> {
  const format = await FORMATS[options.format]();
  const started = performance.now();
  const chunks: Chunk[] = [];
  // What is read at once need not be waited for.
  for await (const section of format.read(prepared, from, options)) {
    chunks.push(...chunksOf(cleaned(section, options)));
    const { next, done } = section;
    if (chunks.length >= enough || performance.now() - started >= ENOUGH_MS) return { chunks, next, done };
  }
  return { chunks, next: null, done: 1 };
}

function cleaned(section: Section, { hygiene }: ReadOptions): Passage {
  const { content } = section;
  if (typeof content !== 'string') return { ...section, content: cleanFields(content, hygiene) };
  const text = clean(content, hygiene);
  return { ...section, content: text, linesMoved: text !== content };
}
