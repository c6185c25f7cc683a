import { readFileSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { PDFiumModule } from '@hyzyla/pdfium';
import { UnreadableDocument } from '../core/knowledge/reader.ts';
import { withMemoryLimit } from './wasm-memory.ts';

/** The memory limit of a PDF: the file, all that is unpacked of it at once, and PDFium itself. */
export const MEMORY_LIMIT = 512 * 2 ** 20;

/** PDFium takes 18 MB and text ten times its size; drawings may unpack to gigabytes. */
function memoryLimit(size: number): number {
  return Math.min(128 * 2 ** 20 + 64 * size, MEMORY_LIMIT);
}

/** A larger instance is not reused: WebAssembly memory never shrinks. */
const REUSABLE_MEMORY = 64 * 2 ** 20;

/** Results of FPDF_GetLastError. */
const FORMAT_ERROR = 3;
const PASSWORD_ERROR = 4;
const SECURITY_ERROR = 5;

type Pdfium = Awaited<ReturnType<typeof PDFiumModule>>;

/** PDFium compiled to WebAssembly. */
interface Instance {
  pdfium: Pdfium;
  /** Bytes of memory allowed for the open document. */
  limit: number;
  /** A memory request was refused; later results are not reliable. */
  starved: boolean;
  /** It starved or trapped: its state is unknown, and no function may be called. */
  ruined: boolean;
}

/** One per thread, created with the first PDF. A ruined instance is discarded with its memory. */
let shared: Promise<Instance> | undefined;

function instance(): Promise<Instance> {
  shared ??= makeInstance();
  return shared;
}

async function makeInstance(): Promise<Instance> {
  const file = createRequire(import.meta.url).resolve('@hyzyla/pdfium/pdfium.wasm');
  const made = { limit: MEMORY_LIMIT, starved: false, ruined: false };
  const options = {
    wasmBinary: withMemoryLimit(readFileSync(file), MEMORY_LIMIT).buffer,
    locateFile: () => file,
    // The only report of a refused allocation; other output is discarded too.
    printErr: (line: string) => {
      if (/^(Failed to grow the heap|Cannot enlarge memory)/.test(line)) made.starved = true;
    },
  };
  const pdfium = await PDFiumModule(options);
  boundGrowth(memoryOf(pdfium), () => made.limit);
  pdfium._FPDF_InitLibraryWithConfig({});
  return Object.assign(made, { pdfium });
}

const PAGE = 65_536;

/** WebAssembly's types come with the DOM library only. */
interface Memory {
  buffer: ArrayBuffer;
  grow(pages: number): number;
}

function memoryOf(pdfium: Pdfium): Memory {
  return (pdfium.wasmExports as unknown as { memory: Memory }).memory;
}

/** Emscripten treats an error of `grow` as a refusal. The module's own maximum still applies. */
function boundGrowth(memory: Memory, limit: () => number): void {
  const grow = memory.grow.bind(memory);
  memory.grow = (pages) => {
    if (memory.buffer.byteLength + pages * PAGE > limit())
      throw new RangeError('The document may take no more memory.');
    return grow(pages);
  };
}

function tooMuch({ limit }: Instance): string {
  return `needs more than ${Math.floor(limit / 2 ** 20)} MB of memory to be read`;
}

/** An open PDF, to be closed. Methods throw UnreadableDocument. */
export class PdfDocument {
  readonly pages: number;
  readonly #instance: Instance;
  readonly #bytes: number;
  readonly #document: number;

  /** Opens a PDF with the empty password. */
  static async open(file: number, size: number): Promise<PdfDocument> {
    const taken = await instance();
    taken.limit = memoryLimit(size);
    return inside(taken, () => new PdfDocument(taken, file, size));
  }

  private constructor(taken: Instance, file: number, size: number) {
    const { pdfium } = taken;
    this.#instance = taken;
    this.#bytes = pdfium.wasmExports.malloc(size);
    if (this.#bytes === 0) throw new UnreadableDocument(`The PDF ${tooMuch(taken)}. Split it into smaller files.`);
    readInto(pdfium.HEAPU8.subarray(this.#bytes, this.#bytes + size), file);
    this.#document = pdfium._FPDF_LoadMemDocument(this.#bytes, size, 0);
    if (this.#document === 0) {
      pdfium.wasmExports.free(this.#bytes);
      throw unopened(pdfium._FPDF_GetLastError());
    }
    this.pages = pdfium._FPDF_GetPageCount(this.#document);
  }

  /** In PDFium's order, with lines ended by CR LF. Pages count from 1. */
  text(page: number): string {
    const { pdfium } = this.#instance;
    return inside(
      this.#instance,
      () => {
        const loaded = pdfium._FPDF_LoadPage(this.#document, page - 1);
        const text = loaded && pdfium._FPDFText_LoadPage(loaded);
        if (!text)
          throw new UnreadableDocument(`Page ${page} of the PDF is damaged. Repair the file or print it anew.`);
        const content = charactersOf(pdfium, text);
        pdfium._FPDFText_ClosePage(text);
        pdfium._FPDF_ClosePage(loaded);
        return content;
      },
      page,
    );
  }

  close(): void {
    const { pdfium, ruined } = this.#instance;
    if (ruined) return;
    inside(this.#instance, () => {
      pdfium._FPDF_CloseDocument(this.#document);
      pdfium.wasmExports.free(this.#bytes);
    });
    if (pdfium.HEAPU8.length > REUSABLE_MEMORY) shared = undefined;
  }
}

/** UTF-16 in the module's memory, read after the last call, since growth may move the memory. */
function charactersOf(pdfium: Pdfium, text: number): string {
  const count = pdfium._FPDFText_CountChars(text);
  if (count <= 0) return '';
  const at = pdfium.wasmExports.malloc((count + 1) * 2);
  if (at === 0) return '';
  const withTerminator = pdfium._FPDFText_GetText(text, 0, count, at);
  const { buffer } = pdfium.HEAPU8;
  const content = Buffer.from(buffer, at, Math.max(0, withTerminator - 1) * 2).toString('utf16le');
  pdfium.wasmExports.free(at);
  return content;
}

/** Reads straight into the module's memory, to have only one copy. */
function readInto(memory: Uint8Array, file: number): void {
  for (let read = 0; read < memory.length; ) {
    const bytes = readSync(file, memory, read, memory.length - read, read);
    if (bytes === 0) throw new UnreadableDocument('The PDF ended while it was read. Upload it again.');
    read += bytes;
  }
}

/** Runs code that may starve or trap, either of which ruins the instance. */
function inside<T>(taken: Instance, run: () => T, page?: number): T {
  const where = page === undefined ? 'The PDF' : `Page ${page} of the PDF`;
  try {
    const result = run();
    if (!taken.starved) return result;
  } catch (error) {
    if (!taken.starved && !isTrap(error)) throw error;
  }
  taken.ruined = true;
  shared = undefined;
  throw new UnreadableDocument(
    taken.starved
      ? `${where} ${tooMuch(taken)}. Print it anew, or split it.`
      : `${where} is so damaged that reading it failed. Repair the file, or print it anew.`,
  );
}

/** An abort, a trap, or a stack overflow. */
function isTrap(error: unknown): boolean {
  return error instanceof RangeError || (error instanceof Error && error.name === 'RuntimeError');
}

function unopened(error: number): UnreadableDocument {
  if (error === PASSWORD_ERROR) {
    return new UnreadableDocument('The PDF is protected by a password. Save a copy without one and upload that.');
  }
  if (error === SECURITY_ERROR) {
    return new UnreadableDocument(
      'The PDF is encrypted in a way that is not supported. Save a copy without encryption.',
    );
  }
  if (error === FORMAT_ERROR) {
    return new UnreadableDocument('The PDF is damaged or not complete. Upload it again, or repair it first.');
  }
  return new UnreadableDocument(`The PDF cannot be opened (PDFium's error ${error}). Repair it, or print it anew.`);
}
