import { toUtf8File } from '../../text/encoding.ts';
import type { Format } from '../format.ts';
import { sectionLength, Utf8File, WINDOW_BYTES } from './utf8-file.ts';

interface TextPosition {
  /** In the UTF-8 file. */
  byte: number;
  line: number;
}

export const textFormat: Format = {
  prepare: toUtf8File,

  *read(prepared, from) {
    const file = new Utf8File(prepared.path as string);
    try {
      let { byte, line } = (from as TextPosition | null) ?? { byte: file.start, line: 1 };
      for (let length = 1; length > 0; ) {
        length = sectionLength(file.bytes(byte, WINDOW_BYTES));
        const content = file.text(byte, byte + length);
        const place = { line };
        byte += length;
        line += content.split('\n').length - 1;
        if (content.trim() === '') continue;
        yield { content, headings: [], place, isRecord: false, next: { byte, line }, done: byte / file.size };
      }
    } finally {
      file.close();
    }
  },
};
