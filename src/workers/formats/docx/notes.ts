import { attribute, type XmlHandler, type XmlTag } from '../../../text/xml.ts';
import { nameOf } from './markup.ts';
import type { Styles } from './styles.ts';
import { DocxWalker } from './walker.ts';

/** Footnotes and endnotes by kind and id, such as `footnote 2`. */
export class Notes implements XmlHandler {
  readonly texts = new Map<string, string>();
  readonly #walker: DocxWalker;
  #paragraphs: string[] = [];

  constructor(styles: Styles) {
    this.#walker = new DocxWalker({
      styleOf: (id) => styles.of(id),
      notes: new Map(),
      emit: ({ text }) => this.#paragraphs.push(text),
    });
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
    this.texts.set(`${tag.local} ${attribute(tag, 'id')}`, this.#paragraphs.join(' '));
  }
}

function isNote(tag: XmlTag): boolean {
  const name = nameOf(tag);
  return name === 'w:footnote' || name === 'w:endnote';
}
