import { UnreadableDocument } from '../../../core/knowledge/reader.ts';
import type { XmlHandler } from '../../../text/xml.ts';
import { Drawing } from './drawings.ts';
import { paragraphsOf } from './imported.ts';
import { Notes } from './notes.ts';
import { Numberings } from './numbering.ts';
import type { DocxPackage } from './package.ts';
import type { Relation, Relations } from './relations.ts';
import { Styles } from './styles.ts';
import { DocxWalker, type Paragraph } from './walker.ts';

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
      const drawing = new Drawing();
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
