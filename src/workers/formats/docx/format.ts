import { type Prepared, UnreadableDocument } from '../../../core/knowledge/reader.ts';
import type { Format, Section } from '../../format.ts';
import { BlockFile, type DocumentBlock, readBlocks } from '../block-file.ts';
import { readDocument } from './document.ts';
import { DocxPackage } from './package.ts';
import type { Paragraph } from './walker.ts';

interface PreparedDocx extends Prepared {
  blocks: string;
  size: number;
}

/** Unpacked once to a file, so that reading can resume. A DOCX has no page numbers. */
export const docx: Format = {
  async prepare(path): Promise<PreparedDocx> {
    const blocks = `${path}.blocks`;
    const unpacked = await DocxPackage.open(path);
    try {
      const file = new BlockFile(blocks);
      try {
        const notes = await writeBlocks(unpacked, file);
        file.finish();
        return { blocks, size: file.size, notes };
      } catch (error) {
        file.abandon();
        throw error;
      }
    } finally {
      unpacked.close();
    }
  },

  *read(prepared, from): Generator<Section, void, void> {
    const { blocks, size } = prepared as PreparedDocx;
    const { byte } = (from as { byte: number } | null) ?? { byte: 0 };
    for (const { block, next } of readBlocks(blocks, byte)) {
      yield {
        content: block.text,
        headings: block.headings,
        place: {},
        isRecord: false,
        next: { byte: next },
        done: next / size,
      };
    }
  },
};

async function writeBlocks(unpacked: DocxPackage, file: BlockFile): Promise<string[]> {
  let isEmpty = true;
  const builder = new BlockBuilder((block) => {
    isEmpty = false;
    file.add(block);
  });
  const notes = await readDocument(unpacked, (paragraph) => builder.add(paragraph));
  builder.finish();
  if (isEmpty) throw new UnreadableDocument('The DOCX has no text. If it shows pictures of text, run OCR first.');
  return notes;
}

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
  readonly #emit: (block: DocumentBlock) => void;
  readonly #headings: Heading[] = [];
  #text = '';
  #last: Paragraph['kind'] = 'text';

  constructor(emit: (block: DocumentBlock) => void) {
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
