import { attribute, type XmlHandler, type XmlTag } from '../../../text/xml.ts';
import { nameOf } from './markup.ts';
import type { Styles } from './styles.ts';
import { DocxWalker, type Paragraph } from './walker.ts';

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
