import type { Block } from '../block-file.ts';
import type { Paragraph } from './walker.ts';

/** Characters; bounds memory. */
const MAX_BLOCK = 65_536;

/** Longer ones are bold text. */
const MAX_HEADING = 300;

interface Heading {
  level: number;
  text: string;
  isUsed: boolean;
}

export class BlockBuilder {
  readonly #emit: (block: Block) => void;
  readonly #headings: Heading[] = [];
  #text = '';
  #last: Paragraph['kind'] = 'text';

  constructor(emit: (block: Block) => void) {
    this.#emit = emit;
  }

  add(paragraph: Paragraph): void {
    if (paragraph.level !== null && paragraph.text.length <= MAX_HEADING) {
      this.#startSection({ level: paragraph.level, text: paragraph.text.replace(/\s+/g, ' '), isUsed: false });
      return;
    }
    const isClose = paragraph.kind !== 'text' && paragraph.kind === this.#last;
    const separator = this.#text === '' ? '' : isClose ? '\n' : '\n\n';
    const isRoom = this.#text.length + separator.length + paragraph.text.length <= MAX_BLOCK;
    if (!isRoom) this.#flush();
    this.#text += isRoom ? separator + paragraph.text : paragraph.text;
    while (this.#text.length > MAX_BLOCK) this.#cut();
    this.#last = paragraph.kind;
  }

  finish(): void {
    this.#flush();
    this.#closeTo(0);
  }

  #startSection(heading: Heading): void {
    this.#flush();
    this.#closeTo(heading.level);
    for (const around of this.#headings) around.isUsed = true;
    this.#headings.push(heading);
  }

  /** A heading without content becomes text of its parent. */
  #closeTo(level: number): void {
    while (this.#headings.length > 0 && this.#headings.at(-1)!.level >= level) {
      const { isUsed, text } = this.#headings.pop()!;
      if (!isUsed) this.#emit({ headings: this.#headings.map((one) => one.text), text });
    }
  }

  #flush(): void {
    if (this.#text === '') return;
    for (const around of this.#headings) around.isUsed = true;
    this.#emit({ headings: this.#headings.map((one) => one.text), text: this.#text });
    this.#text = '';
  }

  #cut(): void {
    const text = this.#text;
    const space = Math.max(text.lastIndexOf(' ', MAX_BLOCK), text.lastIndexOf('\n', MAX_BLOCK));
    const isPair = /[\uD800-\uDBFF]/.test(text[MAX_BLOCK - 1]!);
    const end = space > MAX_BLOCK / 2 ? space : isPair ? MAX_BLOCK - 1 : MAX_BLOCK;
    this.#text = text.slice(0, end);
    this.#flush();
    this.#text = text.slice(end).trimStart();
  }
}
