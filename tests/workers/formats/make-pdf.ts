import { deflateSync } from 'node:zlib';

export function makePdf(objects: readonly (string | Buffer)[]): Buffer {
  const parts = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  let length = parts[0]!.length;
  objects.forEach((object, index) => {
    const body = typeof object === 'string' ? Buffer.from(object, 'latin1') : object;
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), body, Buffer.from('\nendobj\n')]);
    offsets.push(length);
    parts.push(part);
    length += part.length;
  });
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${entries}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

export function stream(dictionary: string, data: Buffer): Buffer {
  const begin = `<< ${dictionary} /Length ${data.length} >>\nstream\n`;
  return Buffer.concat([Buffer.from(begin), data, Buffer.from('\nendstream')]);
}

const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';

/** Pages whose contents, each an object, draw with the font F1. */
export function pdfOfPages(contents: readonly Buffer[]): Buffer {
  const pages = contents.map((_, index) => 4 + 2 * index);
  return makePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pages.map((page) => `${page} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    FONT,
    ...contents.flatMap((content, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${pages[index]! + 1} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      content,
    ]),
  ]);
}

export function lineOfText(text: string): Buffer {
  return stream('', Buffer.from(`BT /F1 12 Tf 72 720 Td (${text}) Tj ET`));
}

/** Every page draws so many lines. Since none has text, all are read before the file is refused. */
export function pdfWithoutText(pages: number, lines: number): Buffer {
  const drawn = deflateSync(Buffer.from('0 0 m 1 1 l S\n'.repeat(lines)));
  const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 3 0 R /Resources << >> >>';
  const kids = Array.from({ length: pages }, (_, index) => `${index + 4} 0 R`).join(' ');
  return makePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`,
    stream('/Filter /FlateDecode', drawn),
    ...Array.from({ length: pages }, () => page),
  ]);
}
