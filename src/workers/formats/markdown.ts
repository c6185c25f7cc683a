import { toUtf8File } from '../../text/encoding.ts';
import type { Format, Section } from '../format.ts';
import {
  atxHeading,
  endsBlock,
  endsFrontMatter,
  type Heading,
  hasFrontMatter,
  isParagraph,
  isRule,
  isUnderline,
  openedBlock,
  setextHeading,
} from './markdown-blocks.ts';
import { lineLength, SECTION_BYTES, Utf8File, WINDOW_BYTES } from './utf8-file.ts';

/** The parser's whole state, so that reading can resume. */
interface MarkdownPosition {
  byte: number;
  line: number;
  headings: Heading[];
  /** The line of the innermost heading if the text begins right after it. */
  headedAt: number | null;
  /** The end mark of the open block, in which `#` is text. */
  block: string | null;
  /** Within a line that is read in parts. */
  isInLine: boolean;
}

interface Line {
  text: string;
  /** Only a whole line can be a heading. */
  isWhole: boolean;
  after: MarkdownPosition;
}

/** Its start; `other` for lists, quotes and tables. */
type Paragraph = MarkdownPosition | 'other' | null;

interface SectionEnd {
  end: number;
  next: MarkdownPosition;
}

const FRONT_MATTER = 'front matter';

export const markdownFormat: Format = {
  prepare: toUtf8File,

  *read(prepared, from) {
    const file = new Utf8File(prepared.path as string);
    try {
      let start = (from as MarkdownPosition | null) ?? beginning(file);
      while (start.byte < file.size || start.headedAt !== null) {
        const { end, next } = sectionEnd(file, start);
        const section = sectionOf(file, start, end, next);
        if (section !== null) yield section;
        start = next;
      }
    } finally {
      file.close();
    }
  },
};

function beginning(file: Utf8File): MarkdownPosition {
  const start = { byte: file.start, line: 1, headings: [], headedAt: null, block: null, isInLine: false };
  if (!hasFrontMatter(file.text(file.start, file.start + SECTION_BYTES))) return start;
  return { ...lineAt(file, start).after, block: FRONT_MATTER };
}

/** A heading without text becomes a section, or it would be lost. */
function sectionOf(file: Utf8File, start: MarkdownPosition, end: number, next: MarkdownPosition): Section | null {
  const content = file.text(start.byte, end);
  const titles = start.headings.map(({ title }) => title);
  const rest = { isRecord: false, next, done: next.byte / file.size };
  if (content.trim() !== '') return { content, headings: titles, place: { line: start.line }, ...rest };
  const hasHeadingsBelow = next.headings.length > start.headings.length;
  if (start.headedAt === null || hasHeadingsBelow) return null;
  return { content: titles.at(-1)!, headings: titles.slice(0, -1), place: { line: start.headedAt }, ...rest };
}

function sectionEnd(file: Utf8File, start: MarkdownPosition): SectionEnd {
  let at = start;
  let paragraph: Paragraph = null;
  let lastBlank: MarkdownPosition | null = null;
  while (at.byte < file.size) {
    const line = lineAt(file, at);
    if (line.after.byte - start.byte > SECTION_BYTES) return endAt(lastBlank ?? at);
    const end = at.block === FRONT_MATTER ? frontMatterEnd(at, line) : headedEnd(file, at, line, paragraph);
    if (end !== null) return end;

    const block = blockAfter(at, line);
    paragraph = at.block === null && block === null ? paragraphAfter(paragraph, at, line) : null;
    at = { ...line.after, block };
    if (line.text.trim() === '' && at.byte - start.byte > SECTION_BYTES / 2) lastBlank = at;
  }
  return endAt(at);
}

function endAt(next: MarkdownPosition): SectionEnd {
  return { end: next.byte, next: { ...next, headedAt: null } };
}

function frontMatterEnd(at: MarkdownPosition, { text, after }: Line): SectionEnd | null {
  return endsFrontMatter(text) ? { end: at.byte, next: { ...after, block: null } } : null;
}

function headedEnd(file: Utf8File, at: MarkdownPosition, line: Line, paragraph: Paragraph): SectionEnd | null {
  if (at.block !== null || !line.isWhole) return null;
  const heading = atxHeading(line.text);
  if (heading !== null) return { end: at.byte, next: under(heading, at.line, line.after) };
  if (paragraph === null || paragraph === 'other' || !isUnderline(line.text)) return null;
  const underlined = setextHeading(file.text(paragraph.byte, at.byte), line.text);
  return underlined && { end: paragraph.byte, next: under(underlined, paragraph.line, line.after) };
}

/** A heading without words closes those of its level and below. */
function under(heading: Heading, headedAt: number, after: MarkdownPosition): MarkdownPosition {
  const outer = after.headings.filter(({ level }) => level < heading.level);
  if (heading.title === '') return { ...after, headings: outer, headedAt: null };
  return { ...after, headings: [...outer, heading], headedAt };
}

function blockAfter({ block }: MarkdownPosition, { text, isWhole }: Line): string | null {
  if (block === null) return isWhole ? openedBlock(text) : null;
  return block !== FRONT_MATTER && endsBlock(text, block) ? null : block;
}

function paragraphAfter(paragraph: Paragraph, at: MarkdownPosition, { text, isWhole }: Line): Paragraph {
  if (text.trim() === '' || isRule(text)) return null;
  return isWhole && isParagraph(text) ? (paragraph ?? at) : 'other';
}

function lineAt(file: Utf8File, at: MarkdownPosition): Line {
  const bytes = file.bytes(at.byte, WINDOW_BYTES);
  const { length, isWhole } = lineLength(bytes);
  return {
    text: bytes.toString('utf8', 0, length).replace(/\r?\n$|\r$/, ''),
    isWhole: isWhole && !at.isInLine,
    after: {
      byte: at.byte + length,
      line: isWhole ? at.line + 1 : at.line,
      headings: at.headings,
      headedAt: null,
      block: at.block,
      isInLine: !isWhole,
    },
  };
}
