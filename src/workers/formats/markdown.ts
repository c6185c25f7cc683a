import { toUtf8File } from '../../text/encoding.ts';
import type { Format, Section } from '../format.ts';
import { lineLength, SECTION_BYTES, Utf8File, WINDOW_BYTES } from './utf8-file.ts';

/** Longer lines are text. */
const MAX_MARKER_CHARACTERS = 300;

export interface Heading {
  level: number;
  title: string;
}

export function atxHeading(line: string): Heading | null {
  if (line.length > MAX_MARKER_CHARACTERS) return null;
  const found = /^ {0,3}(?<marks>#{1,6})(?:[ \t](?<rest>.*))?$/.exec(line);
  if (found === null) return null;
  const title = (found.groups!.rest ?? '').trim().replace(/(?:^|[ \t])#+$/, '');
  return { level: found.groups!.marks!.length, title: title.trim() };
}

/** Null for an empty or long title. */
export function setextHeading(paragraph: string, below: string): Heading | null {
  const title = paragraph.trim().replace(/\s+/g, ' ');
  return title === '' || title.length > MAX_MARKER_CHARACTERS ? null : { level: below.includes('=') ? 1 : 2, title };
}

export function isUnderline(line: string): boolean {
  return line.length <= MAX_MARKER_CHARACTERS && /^ {0,3}(?:=+|-+)[ \t]*$/.test(line);
}

/** False for lists, quotes, tables, HTML and code. */
export function isParagraph(line: string): boolean {
  return !/^(?: {4}| {0,3}\t| {0,3}(?:[>|<]|[-*+](?:[ \t]|$)|\d{1,9}[.)](?:[ \t]|$)))/.test(line);
}

export function isRule(line: string): boolean {
  return line.length <= MAX_MARKER_CHARACTERS && /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/.test(line);
}

/** The end mark of the code or HTML block that the line opens; `#` in it is text. */
export function openedBlock(line: string): string | null {
  const fence = /^ {0,3}(?<marks>`{3,}(?=[^`]*$)|~{3,})/.exec(line.slice(0, MAX_MARKER_CHARACTERS));
  if (fence !== null) return fence.groups!.marks!;
  const html = /^ {0,3}<(?:(?<comment>!--)|(?<element>pre|script|style|textarea)(?:[\s>]|$))/i.exec(line);
  if (html === null) return null;
  const mark = html.groups!.comment === undefined ? `</${html.groups!.element!.toLowerCase()}>` : '-->';
  return endsBlock(line, mark) ? null : mark;
}

/** A fence needs a line of at least as many marks, HTML its mark anywhere. */
export function endsBlock(line: string, mark: string): boolean {
  if (!/^[`~]/.test(mark)) return line.toLowerCase().includes(mark);
  const closing = line.trim();
  return /^ {0,3}[`~]/.test(line) && closing.startsWith(mark) && closing === mark[0]!.repeat(closing.length);
}

const LEADING_FRONT_MATTER = /^---[ \t]*\n(?=[^\n:]+:|\.\.\.|---)(?:[\s\S]*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|$)/;

/** YAML between lines of `---` that begins with a name and a colon. */
export function hasFrontMatter(beginning: string): boolean {
  return LEADING_FRONT_MATTER.test(beginning);
}

export function endsFrontMatter(line: string): boolean {
  return line.length <= MAX_MARKER_CHARACTERS && /^(?:---|\.\.\.)[ \t]*$/.test(line);
}

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
