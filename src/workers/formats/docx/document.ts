import { withoutHtml } from '../../../core/knowledge/html.ts';
import { UnreadableDocument } from '../../../core/knowledge/reader.ts';
import { textOfBytes } from '../../../text/encoding.ts';
import { attribute, type XmlHandler, type XmlTag } from '../../../text/xml.ts';
import { nameOf } from './markup.ts';
import { Numberings } from './numbering.ts';
import type { DocxPackage, Relation, Relations } from './package.ts';
import { Styles } from './styles.ts';
import { DocxWalker, type Paragraph } from './walker.ts';

interface Series {
  name: string[];
  categories: string[];
  values: string[];
}

/** Texts of a chart or a diagram. */
export class DocxDrawing implements XmlHandler {
  readonly #texts: string[] = [];
  readonly #series: Series[] = [];
  #into: string[] | null = null;
  #text: string | null = null;

  open(tag: XmlTag): void {
    const name = nameOf(tag);
    const series = this.#series.at(-1);
    if (name === 'c:ser') this.#series.push({ name: [], categories: [], values: [] });
    else if (name === 'c:tx') this.#into = series ? series.name : null;
    else if (name === 'c:cat' || name === 'c:xVal') this.#into = series?.categories ?? null;
    else if (name === 'c:val' || name === 'c:yVal') this.#into = series?.values ?? null;
    else if (name === 'a:p' || name === 'c:v') this.#text = '';
  }

  text(text: string): void {
    if (this.#text !== null) this.#text += text.trim() === '' ? ' ' : text;
  }

  close(tag: XmlTag): void {
    const name = nameOf(tag);
    if (name === 'a:p' || name === 'c:v') {
      const text = this.#text?.replace(/\s+/g, ' ').trim() ?? '';
      this.#text = null;
      if (text !== '') (this.#into ?? (name === 'a:p' ? this.#texts : [])).push(text);
    }
    if (/^c:(?:tx|cat|xVal|val|yVal)$/.test(name)) this.#into = null;
  }

  paragraphs(): Paragraph[] {
    const series = this.#series.map(({ name, categories, values }) => {
      const points = values.map(
        (value, index) => `${categories[index] === undefined ? '' : `${categories[index]}: `}${value}`,
      );
      return `${name.length > 0 ? `${name.join(' ')}: ` : ''}${points.join('; ')}`;
    });
    return [...this.#texts, ...series]
      .filter((text) => text !== '')
      .map((text) => ({ text, level: null, kind: 'text' }));
  }
}

/** Documents in documents. */
const MAX_DEPTH = 3;
/** Bytes of a document in a document, which is in memory. */
const MAX_INNER = 20_000_000;

/** Headers, the text, footers; each header once. Returns notes on what is not read. */
export async function readDocument(
  unpacked: DocxPackage,
  emit: (paragraph: Paragraph) => void,
  depth = 0,
): Promise<string[]> {
  const { main } = unpacked;
  const relations = await unpacked.relations(main);
  const parts = new Parts(unpacked, relations, depth);
  const styles = new Styles();
  const numberings = new Numberings();
  for (const part of unpacked.parts('styles', relations)) await unpacked.parse(part, styles);
  for (const part of unpacked.parts('numbering', relations)) await parts.parse(part, numberings);
  const notes = new Notes(styles);
  for (const kind of ['footnotes', 'endnotes', 'comments']) {
    for (const part of unpacked.parts(kind, relations)) await parts.parse(part, notes);
  }
  await parts.include();

  await parts.pageTexts('header', styles, emit);
  const walker = new DocxWalker({ styles, numberings, notes: notes.texts, included: parts.included, emit });
  await unpacked.parse(main, walker);
  await parts.pageTexts('footer', styles, emit);
  return [...parts.notes, ...notesOn(walker, numberings, relations)];
}

/** Parts of which one may be damaged without loss of the others. */
class Parts {
  readonly notes: string[] = [];
  readonly included = new Map<string, readonly Paragraph[]>();
  readonly #unpacked: DocxPackage;
  readonly #relations: Relations;
  readonly #depth: number;
  /** Texts of headers and footers: those of first and even pages often say the same. */
  readonly #told = new Set<string>();

  constructor(unpacked: DocxPackage, relations: Relations, depth: number) {
    this.#unpacked = unpacked;
    this.#relations = relations;
    this.#depth = depth;
  }

  parse(part: string, handler: XmlHandler): Promise<void> {
    return this.#attempt(part, () => this.#unpacked.parse(part, handler));
  }

  async pageTexts(kind: 'header' | 'footer', styles: Styles, emit: (paragraph: Paragraph) => void): Promise<void> {
    for (const part of this.#unpacked.parts(kind, this.#relations)) {
      const texts: string[] = [];
      const collect = ({ text }: Paragraph) => texts.push(text);
      await this.parse(part, new DocxWalker({ styles, notes: new Map(), included: new Map(), emit: collect }));
      const text = texts.join('\n');
      if (text !== '' && !this.#told.has(text)) emit({ text, level: null, kind: 'text' });
      this.#told.add(text);
    }
  }

  /** Charts, diagrams and embedded documents. */
  async include(): Promise<void> {
    for (const [id, relation] of this.#relations.ofType('chart', 'diagramData')) {
      const drawing = new DocxDrawing();
      if (!this.#unpacked.has(relation.target)) continue;
      await this.parse(relation.target, drawing);
      this.included.set(id, drawing.paragraphs());
    }
    for (const [id, relation] of this.#relations.ofType('aFChunk')) {
      await this.#attempt(relation.target, async () => this.included.set(id, await this.#imported(relation)));
    }
  }

  async #imported({ target }: Relation): Promise<Paragraph[]> {
    const content = await this.#unpacked.bytes(target, MAX_INNER);
    if (content === null) throw new UnreadableDocument(`It has more than ${MAX_INNER / 1e6} MB, or is missing.`);
    if (content.subarray(0, 2).toString('latin1') !== 'PK') return paragraphsOf(content);
    if (this.#depth === MAX_DEPTH) throw new UnreadableDocument(`It lies in more than ${MAX_DEPTH} other documents.`);
    const inner = await this.#unpacked.inner(content);
    const paragraphs: Paragraph[] = [];
    try {
      this.notes.push(...(await readDocument(inner, (paragraph) => paragraphs.push(paragraph), this.#depth + 1)));
    } finally {
      inner.close();
    }
    return paragraphs;
  }

  async #attempt(part: string, read: () => Promise<unknown>): Promise<void> {
    try {
      await read();
    } catch (error) {
      if (!(error instanceof UnreadableDocument)) throw error;
      this.notes.push(`The part ${part} was not read: ${error.message}`);
    }
  }
}

function notesOn({ unread }: DocxWalker, { unknownFormats }: Numberings, relations: Relations): string[] {
  const { pictures, objects, symbols } = unread;
  const files = relations.ofType('oleObject', 'package').map(([, { target }]) => target);
  const embedded = [...objects].join(', ') + (files.length > 0 ? ` (${files.join(', ')})` : '');
  return [
    ...(embedded === ''
      ? []
      : [`Embedded objects were not read: ${embedded.trim()}. Upload them as files of their own.`]),
    ...(pictures > 0 ? [`Text in pictures was not read: the document has ${pictures}.`] : []),
    ...(symbols.size > 0 ? [`Symbols without a character are named in the text: ${[...symbols].join(', ')}.`] : []),
    ...(unknownFormats.size > 0
      ? [`Numbers of lists in ${[...unknownFormats].join(', ')} are given as decimals.`]
      : []),
  ];
}

/** Footnotes, endnotes and comments by kind and id, such as `footnote 2`. */
export class Notes implements XmlHandler {
  readonly texts = new Map<string, string>();
  readonly #walker: DocxWalker;
  #paragraphs: string[] = [];

  constructor(styles: Styles) {
    const emit = ({ text }: Paragraph) => this.#paragraphs.push(text);
    this.#walker = new DocxWalker({ styles, notes: new Map(), included: new Map(), emit });
  }

  open(tag: XmlTag): void {
    if (isNote(tag)) this.#paragraphs = [];
    this.#walker.open(tag);
  }

  text(text: string): void {
    this.#walker.text(text);
  }

  close(tag: XmlTag): void {
    this.#walker.close(tag);
    // A type marks separator lines.
    if (!isNote(tag) || attribute(tag, 'type') !== undefined) return;
    const by = attribute(tag, 'author');
    const whose = tag.local === 'comment' ? `Comment${by ? ` by ${by}` : ''}: ` : '';
    this.texts.set(`${tag.local} ${attribute(tag, 'id')}`, whose + this.#paragraphs.join(' '));
  }
}

function isNote(tag: XmlTag): boolean {
  const name = nameOf(tag);
  return name === 'w:footnote' || name === 'w:endnote' || name === 'w:comment';
}

/** The text of an embedded file: HTML, a web archive or plain text. */
export function paragraphsOf(content: Buffer): Paragraph[] {
  const head = content.subarray(0, 1_000).toString('latin1').trimStart();
  if (head.startsWith('{\\rtf'))
    throw new UnreadableDocument('It is RTF. Save the document again in Word, which takes it in.');
  const archived = /^content-type:\s*multipart\//im.test(head) ? htmlOf(content) : content;
  const text = textOfBytes(archived);
  const plain = /<(?:!doctype|html|head|body|p|div|table|h\d)\b/i.test(text.slice(0, 10_000))
    ? withoutHtml(text)
    : text;
  return plain
    .split(/\n\s*\n/)
    .map((paragraph) => ({ text: paragraph.trim(), level: null, kind: 'text' as const }))
    .filter((paragraph) => paragraph.text !== '');
}

/** The HTML of a web archive, as written by libraries that make a document of a page. */
function htmlOf(content: Buffer): Buffer {
  const source = content.toString('latin1');
  const boundary = /boundary="?([^"\s;]+)"?/i.exec(source)?.[1];
  const parts = boundary === undefined ? [] : source.split(`--${boundary}`);
  const html = parts.find((part) => /content-type:\s*text\/html/i.test(part.slice(0, 1_000)));
  if (html === undefined) throw new UnreadableDocument('It is a web archive without a page.');
  const [, headers = '', body = ''] = /^\s*([\s\S]*?)\r?\n\r?\n([\s\S]*)$/.exec(html) ?? [];
  if (/base64/i.test(headers)) return Buffer.from(body, 'base64');
  if (!/quoted-printable/i.test(headers)) return Buffer.from(body, 'latin1');
  const decoded = body
    .replace(/=\r?\n/g, '')
    .replace(/=([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(decoded, 'latin1');
}
