import type { XmlHandler, XmlTag } from '../../../text/xml.ts';
import { nameOf } from './markup.ts';
import type { Paragraph } from './walker.ts';

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
