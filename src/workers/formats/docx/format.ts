import { type Prepared, UnreadableDocument } from '../../../core/knowledge/reader.ts';
import type { Format, Section } from '../../format.ts';
import { BlockFile, readBlocks } from '../block-file.ts';
import { BlockBuilder } from './blocks.ts';
import { readDocument } from './document.ts';
import { DocxPackage } from './package.ts';

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
