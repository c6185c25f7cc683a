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

const FRONT_MATTER = /^---[ \t]*\n(?=[^\n:]+:|\.\.\.|---)(?:[\s\S]*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|$)/;

/** YAML between lines of `---` that begins with a name and a colon. */
export function hasFrontMatter(beginning: string): boolean {
  return FRONT_MATTER.test(beginning);
}

export function endsFrontMatter(line: string): boolean {
  return line.length <= MAX_MARKER_CHARACTERS && /^(?:---|\.\.\.)[ \t]*$/.test(line);
}
