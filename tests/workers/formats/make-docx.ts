import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Section } from '../../../src/workers/format.ts';
import { docx } from '../../../src/workers/formats/docx/format.ts';
import { fileOf } from '../../support/upload-file.ts';
import { makeZip, type ZipEntry } from '../../support/zip.ts';
import { optionsFor, readAll } from './sections.ts';

export const OPTIONS = optionsFor('docx');

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006';
export const NAMESPACES = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"
  xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:m="${OFFICE}/math"
  xmlns:r="${OFFICE}/relationships" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:v="urn:schemas-microsoft-com:vml"
  xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"
  xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"`;
export const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml';

export function paragraph(text: string, style?: string): string {
  const properties = style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : '';
  return `<w:p>${properties}<w:r><w:t>${text}</w:t></w:r></w:p>`;
}

export function override(name: string, type: string): string {
  return `<Override PartName="/${name}" ContentType="${type}"/>`;
}

/** `related`: relations of the document as `id type target`. `files`: further parts as they are. */
export function docxOf(
  body: string,
  parts: Record<string, string> = {},
  { related = [], files = {} }: { related?: string[]; files?: Record<string, string | Buffer> } = {},
): Buffer {
  const names = Object.keys(parts);
  const types = [
    override('word/document.xml', `${WORD}.document.main+xml`),
    ...names.map((name) => override(`word/${name}.xml`, `${WORD}.${name}+xml`)),
  ];
  const others: ZipEntry[] = names.map((name) => ({
    name: `word/${name}.xml`,
    content: `<w:${name} ${NAMESPACES}>${parts[name]}</w:${name}>`,
  }));
  return makeZip([
    { name: '[Content_Types].xml', content: `<Types>${types.join('')}</Types>` },
    { name: 'word/document.xml', content: `<w:document ${NAMESPACES}><w:body>${body}</w:body></w:document>` },
    ...others,
    {
      name: 'word/_rels/document.xml.rels',
      content: `<Relationships>${related.map(relation).join('')}</Relationships>`,
    },
    ...Object.entries(files).map(([name, content]) => ({ name, content })),
  ]);
}

function relation(described: string): string {
  const [id, type, target] = described.split(' ');
  return `<Relationship Id="${id}" Type="${OFFICE}/relationships/${type}" Target="${target}"/>`;
}

export async function outline(t: TestContext, content: Buffer): Promise<[headings: readonly string[], text: string][]> {
  const read = await readAll(docx, fileOf(t, content), OPTIONS);
  assert.ok(Array.isArray(read), JSON.stringify(read));
  return read.map((section: Section) => [section.headings, String(section.content)]);
}
