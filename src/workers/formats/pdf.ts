import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { type Prepared, UnreadableDocument } from '../../core/knowledge/reader.ts';
import type { Format, Section } from '../format.ts';
import { MEMORY_LIMIT, PdfDocument } from '../pdfium.ts';

const MAX_PAGES = 5_000;

/** The file is in memory, and unpacking may need as much again. */
const MAX_BYTES = MEMORY_LIMIT / 2;

const HEADER_WITHIN = 1_024;

interface PreparedPdf extends Prepared {
  path: string;
  pages: number;
}

interface PdfPosition {
  page: number;
  /** Pages before it that show no text. */
  pictures: number[];
}

export const pdf: Format = {
  async prepare(path): Promise<PreparedPdf> {
    const document = await open(path);
    try {
      const { pages } = document;
      if (pages === 0) throw new UnreadableDocument('The PDF has no pages. Print it again.');
      if (pages > MAX_PAGES) {
        throw new UnreadableDocument(
          `The PDF has ${pages} pages, the limit is ${MAX_PAGES}. Split it into smaller files.`,
        );
      }
      if (!hasText(document)) throw new UnreadableDocument(withoutText(pages));
      return { path, pages, notes: notesOn(document) };
    } finally {
      document.close();
    }
  },

  async *read(prepared, from): AsyncGenerator<Section, void, void> {
    const { path, pages } = prepared as PreparedPdf;
    const document = await open(path);
    try {
      let { page, pictures } = (from as PdfPosition | null) ?? { page: 1, pictures: [] };
      for (; page <= pages; page += 1) {
        const { text, isPicture } = document.page(page);
        if (isPicture) pictures = [...pictures, page];
        yield {
          content: cleanText(text),
          headings: [],
          place: { page },
          isRecord: false,
          next: { page: page + 1, pictures },
          done: page / pages,
          ...(page === pages && pictures.length > 0 && { notes: [picturesNote(pictures)] }),
        };
      }
    } finally {
      document.close();
    }
  },
};

/** PDFium copies the file, so ours is closed immediately. */
async function open(path: string): Promise<PdfDocument> {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    if (size === 0) throw new UnreadableDocument('The file is empty. Upload it again.');
    const header = Buffer.alloc(Math.min(size, HEADER_WITHIN));
    readSync(file, header, 0, header.length, 0);
    if (!header.includes('%PDF-')) {
      throw new UnreadableDocument(
        'The file is not a PDF: it does not begin with %PDF. Check what it is, and name it so.',
      );
    }
    if (size > MAX_BYTES) {
      throw new UnreadableDocument(
        `The PDF has ${Math.ceil(size / 2 ** 20)} MB, the limit is ${MAX_BYTES / 2 ** 20}. Split it into smaller files.`,
      );
    }
    return await PdfDocument.open(file, size);
  } finally {
    closeSync(file);
  }
}

/** Only scans are read to the end. */
function hasText(document: PdfDocument): boolean {
  for (let page = 1; page <= document.pages; page += 1) {
    if (cleanText(document.page(page).text) !== '') return true;
  }
  return false;
}

function withoutText(pages: number): string {
  const none = pages === 1 ? 'Its only page is' : `All of its ${pages} pages are`;
  return `The PDF has no extractable text. ${none} without any, as scanned pages are: run OCR first.`;
}

function notesOn(document: PdfDocument): string[] {
  const { attachments, isDynamicForm } = document.unread();
  const notes: string[] = [];
  if (attachments.length > 0) {
    notes.push(`Attached files were not read: ${attachments.join(', ')}. Upload them as files of their own.`);
  }
  if (isDynamicForm) notes.push('The form is dynamic (XFA): values beside its pages were not read. Print it as PDF.');
  return notes;
}

const MAX_NAMED = 50;

/** Such as `Pages 2, 4-6`. */
function picturesNote(pages: readonly number[]): string {
  const ranges = pages
    .filter((page) => !pages.includes(page - 1))
    .map((first) => {
      let last = first;
      while (pages.includes(last + 1)) last += 1;
      return first === last ? `${first}` : `${first}-${last}`;
    });
  const more = ranges.length > MAX_NAMED ? ', ...' : '';
  const named = `${pages.length === 1 ? 'Page' : 'Pages'} ${ranges.slice(0, MAX_NAMED).join(', ')}${more}`;
  return `${named} show pictures without text, as scanned pages do: run OCR first to find what they say.`;
}

/** PDFium's replacement for the hyphen in a divided word. */
const DIVISION = '\uFFFE';

const LATIN_LIGATURES = /[\uFB00-\uFB06]/g;

/** Small letters on both sides, unlike `IBM-` and `1990-`. */
const DIVIDED_WORD = new RegExp(`(?<=\\p{Ll})${DIVISION}(?=\\p{Ll})`, 'gu');

// biome-ignore lint/suspicious/noControlCharactersInRegex: fonts of poor make map glyphs to them
const INVISIBLE = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u200B\uFEFF\uFFFF]/g;

/** NFKC only for ligatures: it would turn 10² into 102. */
export function cleanText(raw: string): string {
  return raw
    .replaceAll('\r\n', '\n')
    .replace(DIVIDED_WORD, '')
    .replaceAll(DIVISION, '-')
    .replace(LATIN_LIGATURES, (ligature) => ligature.normalize('NFKC'))
    .replaceAll('\u00A0', ' ')
    .replace(INVISIBLE, '')
    .replace(/[ \t]+$/gm, '')
    .trim();
}
