import { closeSync, openSync, readSync } from 'node:fs';
import { posix } from 'node:path';
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { type Entry, fromBufferPromise, openPromise, type ZipFile } from 'yauzl';
import { UnreadableDocument } from '../../../core/knowledge/reader.ts';
import { attribute, parseXml, type XmlHandler, type XmlTag } from '../../../text/xml.ts';

const MAX_ENTRIES = 10_000;
const MAX_INFLATED = 200_000_000;
/** Text compresses to a tenth, rarely to a fiftieth. Small parts are exempt. */
const MAX_RATIO = 150;
const RATIO_COUNTS_FROM = 10_000_000;

const CONTENT_TYPES = '[Content_Types].xml';
const MAIN_PART =
  /(?:wordprocessingml\.(?:document|template)|ms-word\.(?:document|template)\.macroEnabled\w*)\.main\+xml$/;

const OPTIONS = { autoClose: false, validateEntrySizes: true };

/** Bounds declared sizes against zip bombs; yauzl refuses parts larger than declared. */
export class DocxPackage {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #types = new Map<string, string>();
  /** Shared with the packages in this one. */
  readonly #inflated: { bytes: number };

  static async open(path: string): Promise<DocxPackage> {
    const mistaken = describeNonZip(path);
    if (mistaken) throw new UnreadableDocument(mistaken);
    return DocxPackage.#of(() => openPromise(path, OPTIONS), { bytes: 0 });
  }

  static async #of(open: () => Promise<ZipFile>, inflated: { bytes: number }): Promise<DocxPackage> {
    const zip = await damaged(open);
    try {
      const opened = new DocxPackage(zip, await damaged(() => entriesOf(zip)), inflated);
      await opened.#readTypes();
      return opened;
    } catch (error) {
      zip.close();
      throw error;
    }
  }

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>, inflated: { bytes: number }) {
    this.#zip = zip;
    this.#entries = entries;
    this.#inflated = inflated;
  }

  get main(): string {
    const name = this.#named(MAIN_PART) ?? 'word/document.xml';
    if (!this.#entries.has(name)) throw new UnreadableDocument(this.#otherKind());
    return name;
  }

  /**
   * Parts of a kind, such as `styles`: by their type, else as the relations of the main part say.
   */
  parts(kind: string, relations: Relations): string[] {
    const type = new RegExp(`wordprocessingml\\.${kind}\\+xml$`);
    const typed = [...this.#types].filter(([, declared]) => type.test(declared)).map(([name]) => name);
    const related = relations.ofType(kind).map(([, { target }]) => target);
    return [...new Set([...typed, ...related])].filter((name) => this.#entries.has(name));
  }

  has(part: string): boolean {
    return this.#entries.has(part);
  }

  async relations(part: string): Promise<Relations> {
    const relations = new Relations(part);
    const name = relationsOf(part);
    if (this.#entries.has(name)) await this.parse(name, relations);
    return relations;
  }

  /** Null where there is no such part, or it has more bytes than `most`. */
  async bytes(name: string, most: number): Promise<Buffer | null> {
    if ((this.#entries.get(name)?.uncompressedSize ?? Number.POSITIVE_INFINITY) > most) return null;
    return damaged(async () => Buffer.concat(await Array.fromAsync(this.#bytes(name))));
  }

  /** A document that is a part of this one. It must be closed as well. */
  inner(content: Buffer): Promise<DocxPackage> {
    return DocxPackage.#of(() => fromBufferPromise(content, OPTIONS), this.#inflated);
  }

  async parse(name: string, handler: XmlHandler): Promise<void> {
    await damaged(() => parseXml(`${name} in the DOCX`, this.#text(name), handler));
  }

  close(): void {
    this.#zip.close();
  }

  async #readTypes(): Promise<void> {
    if (!this.#entries.has(CONTENT_TYPES)) return;
    const open: XmlHandler['open'] = (tag) => {
      const part = attribute(tag, 'PartName');
      const type = attribute(tag, 'ContentType');
      if (tag.local === 'Override' && part && type) this.#types.set(part.replace(/^\//, ''), type);
    };
    await this.parse(CONTENT_TYPES, { open, close: () => {} });
  }

  #named(type: RegExp): string | undefined {
    return [...this.#types].find(([name, declared]) => type.test(declared) && this.#entries.has(name))?.[0];
  }

  #otherKind(): string {
    const types = [...this.#types.values()].join();
    if (types.includes('spreadsheetml')) return 'The file is an Excel workbook, not a DOCX. Save its sheets as CSV.';
    if (types.includes('presentationml')) return 'The file is a PowerPoint presentation, not a DOCX. Save it as PDF.';
    if (this.#entries.has('mimetype')) return 'The file is an OpenDocument or an e-book, not a DOCX. Save it as DOCX.';
    return 'The file is a zip archive, but not a DOCX: it has no word/document.xml. Save the document as DOCX.';
  }

  async *#text(name: string): AsyncGenerator<string, void, void> {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    for await (const bytes of this.#bytes(name)) yield decoder.decode(bytes, { stream: true });
    yield decoder.decode();
  }

  async *#bytes(name: string): AsyncGenerator<Buffer, void, void> {
    const entry = this.#entries.get(name)!;
    if (entry.isEncrypted()) throw new UnreadableDocument('The DOCX is encrypted. Save a copy without a password.');
    this.#inflated.bytes += entry.uncompressedSize;
    bound(this.#inflated.bytes, entry);
    let checksum = 0;
    const stream: Readable = await this.#zip.openReadStreamPromise(entry);
    for await (const bytes of stream as AsyncIterable<Buffer>) {
      checksum = crc32(bytes, checksum);
      yield bytes;
    }
    if (checksum !== entry.crc32) throw new Error(`${name} differs from its checksum`);
  }
}

async function entriesOf(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    if (entries.size >= MAX_ENTRIES) {
      throw new UnreadableDocument(`The DOCX has more than ${MAX_ENTRIES} parts. Save it again as DOCX.`);
    }
    entries.set(entry.fileName, entry);
  }
  return entries;
}

function bound(total: number, { fileName, compressedSize, uncompressedSize: size }: Entry): void {
  if (total > MAX_INFLATED) {
    throw new UnreadableDocument(
      `The text of the DOCX unpacks to more than ${MAX_INFLATED / 1e6} MB. Split it into smaller documents.`,
    );
  }
  if (size > RATIO_COUNTS_FROM && size > MAX_RATIO * compressedSize) {
    throw new UnreadableDocument(
      `${fileName} in the DOCX unpacks to more than ${MAX_RATIO} times its size, as no text does. Save it again.`,
    );
  }
}

/** Unpacking errors are defects of the file, except those of the operating system. */
async function damaged<T>(unpack: () => Promise<T>): Promise<T> {
  try {
    return await unpack();
  } catch (error) {
    if (error instanceof UnreadableDocument || (error instanceof Error && 'syscall' in error)) throw error;
    const reason = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
    throw new UnreadableDocument(`The DOCX is damaged or not complete: ${reason}. Upload it again, or save it again.`);
  }
}

export interface Relation {
  /** The last part of its address, such as `header`. */
  type: string;
  /** A name in the package. */
  target: string;
}

/** Relations of a part by id; links out of the package are left out. */
export class Relations implements XmlHandler {
  readonly byId = new Map<string, Relation>();
  readonly #folder: string;

  constructor(part: string) {
    this.#folder = posix.dirname(part);
  }

  open(tag: XmlTag): void {
    const [id, type, target] = [attribute(tag, 'Id'), attribute(tag, 'Type'), attribute(tag, 'Target')];
    if (tag.local !== 'Relationship' || !id || !type || !target || attribute(tag, 'TargetMode') === 'External') return;
    const name = target.startsWith('/') ? target.slice(1) : posix.join(this.#folder, target);
    this.byId.set(id, { type: type.slice(type.lastIndexOf('/') + 1), target: name });
  }

  close(): void {}

  ofType(...types: string[]): [id: string, relation: Relation][] {
    return [...this.byId].filter(([, { type }]) => types.includes(type));
  }
}

/** The part that holds the relations of another one. */
export function relationsOf(part: string): string {
  return posix.join(posix.dirname(part), '_rels', `${posix.basename(part)}.rels`);
}

const ZIP = 'PK';
const COMPOUND_FILE = '\u00D0\u00CF\u0011\u00E0';
const SECTOR = 512;

/** Null for a zip file. */
export function describeNonZip(path: string): string | null {
  const file = openSync(path, 'r');
  try {
    const head = readAt(file, 0, SECTOR);
    const begin = head.toString('latin1');
    if (begin.startsWith(ZIP)) return null;
    if (head.length === 0) return 'The file is empty. Upload it again.';
    if (begin.startsWith(COMPOUND_FILE)) return ofCompoundFile(file, head);
    if (begin.startsWith('{\\rtf')) return 'The file is RTF, not a DOCX. Save it as DOCX.';
    if (begin.startsWith('%PDF')) return 'The file is a PDF, not a DOCX. Name it .pdf.';
    return 'The file is not a DOCX, which is a zip file of a certain kind. Save the document as DOCX.';
  } finally {
    closeSync(file);
  }
}

/** Old Word files and encrypted new ones are compound files with different directory names. */
function ofCompoundFile(file: number, head: Buffer): string {
  const directory = head.length < 52 ? 0 : head.readUInt32LE(48);
  const names = readAt(file, (directory + 1) * SECTOR, 16 * SECTOR).toString('latin1');
  const isEncrypted = names.includes([...'EncryptedPackage'].join('\0'));
  return isEncrypted
    ? 'The DOCX is protected by a password. Save a copy without one and upload that.'
    : 'The file is in an old Office format (.doc), not a DOCX. Save it as DOCX.';
}

function readAt(file: number, position: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  return buffer.subarray(0, readSync(file, buffer, 0, length, position));
}
