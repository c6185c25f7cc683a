import { readFileSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { PDFiumModule } from '@hyzyla/pdfium';
import { UnreadableDocument } from '../core/knowledge/reader.ts';
import { type Calls, PdfAnnotations } from './pdf-annotations.ts';

const MAGIC_AND_VERSION = 8;
const MEMORY_SECTION = 5;
const HAS_MAXIMUM = 1;
const PAGE = 65_536;

/** Lowers a module's declared maximum: no other limit covers WebAssembly memory. */
export function withMemoryLimit(wasm: Uint8Array, bytes: number): Uint8Array<ArrayBuffer> {
  const limited = new Uint8Array(wasm);
  const { at, digits, value } = maximumOf(limited);
  const pages = Math.floor(bytes / PAGE);
  if (pages > value) throw new Error(`The module's memory ends at ${value} pages already, which is below ${pages}`);
  writeNumber(limited, at, digits, pages);
  return limited;
}

interface WrittenNumber {
  at: number;
  digits: number;
  value: number;
}

function maximumOf(wasm: Uint8Array): WrittenNumber {
  let at = MAGIC_AND_VERSION;
  while (at < wasm.length) {
    const section = wasm[at];
    const size = readNumber(wasm, at + 1);
    const body = size.at + size.digits;
    if (section === MEMORY_SECTION) {
      const memories = readNumber(wasm, body);
      const flags = readNumber(wasm, body + memories.digits);
      if (memories.value !== 1 || flags.value !== HAS_MAXIMUM) break;
      const minimum = readNumber(wasm, flags.at + flags.digits);
      return readNumber(wasm, minimum.at + minimum.digits);
    }
    at = body + size.value;
  }
  throw new Error('The module declares no memory of its own that states a maximum');
}

/** LEB128: seven bits a byte, lowest first; the eighth bit marks continuation. */
function readNumber(wasm: Uint8Array, at: number): WrittenNumber {
  let value = 0;
  for (let digits = 0; digits < 5; digits += 1) {
    const byte = wasm[at + digits];
    if (byte === undefined) break;
    value += (byte & 0x7f) * 2 ** (7 * digits);
    if (byte < 0x80) return { at, digits: digits + 1, value };
  }
  throw new Error(`The module is damaged at byte ${at}`);
}

/** Keeps the number of bytes, so that nothing moves; LEB128 allows leading zeros. */
function writeNumber(wasm: Uint8Array, at: number, digits: number, value: number): void {
  for (let digit = 0; digit < digits; digit += 1) {
    const more = digit < digits - 1 ? 0x80 : 0;
    wasm[at + digit] = ((value >>> (7 * digit)) & 0x7f) | more;
  }
}

/** Bytes for the file, all that is unpacked of it at once, and PDFium itself. */
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

interface Instance {
  pdfium: Pdfium;
  limit: number;
  /** A memory request was refused; later results are not reliable. */
  starved: boolean;
  /** It starved or trapped: no function may be called. */
  ruined: boolean;
}

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
    // The only report of a refused allocation.
    printErr: (line: string) => {
      if (/^(Failed to grow the heap|Cannot enlarge memory)/.test(line)) made.starved = true;
    },
  };
  const pdfium = await PDFiumModule(options);
  boundGrowth(memoryOf(pdfium), () => made.limit);
  pdfium._FPDF_InitLibraryWithConfig({});
  return Object.assign(made, { pdfium });
}

interface Memory {
  buffer: ArrayBuffer;
  grow(pages: number): number;
}

function memoryOf(pdfium: Pdfium): Memory {
  return (pdfium.wasmExports as unknown as { memory: Memory }).memory;
}

/** Emscripten treats an error of `grow` as a refusal. */
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

/** Must be closed. Methods throw UnreadableDocument. */
export class PdfDocument {
  readonly pages: number;
  readonly #instance: Instance;
  readonly #bytes: number;
  readonly #document: number;
  readonly #annotations: PdfAnnotations;

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
    const calls = pdfium.wasmExports as unknown as Calls;
    this.#annotations = new PdfAnnotations({ calls, bytes: () => pdfium.HEAPU8 }, this.#document);
  }

  /** Lines end in CR LF, and values of forms and comments are below; pages count from 1. */
  page(page: number): PdfPage {
    const { pdfium } = this.#instance;
    return inside(
      this.#instance,
      () => {
        const loaded = pdfium._FPDF_LoadPage(this.#document, page - 1);
        const text = loaded && textOf(pdfium, loaded);
        if (text === null || text === 0)
          throw new UnreadableDocument(`Page ${page} of the PDF is damaged. Repair the file or print it again.`);
        const { lines, drawn } = this.#annotations.linesOf(loaded);
        const isPicture = text.trim() === '' && pdfium._FPDFPage_CountObjects(loaded) > 0;
        if (drawn.length > 0) this.#annotations.draw(loaded, drawn);
        pdfium._FPDF_ClosePage(loaded);
        if (drawn.length > 0) lines.push(this.#drawnText(page, text));
        return { text: [text, lines.join('\n')].filter((part) => part.trim() !== '').join('\n\n'), isPicture };
      },
      page,
    );
  }

  /** Text that only the appearance of an annotation has: it follows that of the page. */
  #drawnText(page: number, before: string): string {
    const { pdfium } = this.#instance;
    const loaded = pdfium._FPDF_LoadPage(this.#document, page - 1);
    const text = (loaded && textOf(pdfium, loaded)) || '';
    if (loaded) pdfium._FPDF_ClosePage(loaded);
    return text.startsWith(before) ? text.slice(before.length).trim() : '';
  }

  /** Content that is not part of the text of the pages. */
  unread(): { attachments: string[]; isDynamicForm: boolean } {
    return inside(this.#instance, () => ({
      attachments: this.#annotations.attachments(),
      isDynamicForm: this.#annotations.isDynamicForm(),
    }));
  }

  close(): void {
    const { pdfium, ruined } = this.#instance;
    if (ruined) return;
    inside(this.#instance, () => {
      this.#annotations.close();
      pdfium._FPDF_CloseDocument(this.#document);
      pdfium.wasmExports.free(this.#bytes);
    });
    if (pdfium.HEAPU8.length > REUSABLE_MEMORY) shared = undefined;
  }
}

export interface PdfPage {
  text: string;
  /** It draws something, but no text. */
  isPicture: boolean;
}

/** Null for a damaged page. */
function textOf(pdfium: Pdfium, page: number): string | null {
  const text = pdfium._FPDFText_LoadPage(page);
  if (!text) return null;
  const content = charactersOf(pdfium, text);
  pdfium._FPDFText_ClosePage(text);
  return content;
}

/** UTF-16, read after the last call: growth may move the memory. */
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

function readInto(memory: Uint8Array, file: number): void {
  for (let read = 0; read < memory.length; ) {
    const bytes = readSync(file, memory, read, memory.length - read, read);
    if (bytes === 0) throw new UnreadableDocument('The PDF ended while it was read. Upload it again.');
    read += bytes;
  }
}

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
      ? `${where} ${tooMuch(taken)}. Print it again, or split it.`
      : `${where} is so damaged that reading it failed. Repair the file, or print it again.`,
  );
}

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
  return new UnreadableDocument(`The PDF cannot be opened (PDFium's error ${error}). Repair it, or print it again.`);
}
