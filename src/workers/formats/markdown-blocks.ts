/** Longer lines are text, whatever they begin with: so is a heading that no path of headings could show. */
const MAX_MARKER_CHARACTERS = 300;

export interface Heading {
  /** 1 to 6. */
  level: number;
  title: string;
}

/** `# Title #`: null when the line is none. */
export function atxHeading(line: string): Heading | null {
  if (line.length > MAX_MARKER_CHARACTERS) return null;
  const found = /^ {0,3}(?<marks>#{1,6})(?:[ \t](?<rest>.*))?$/.exec(line);
  if (found === null) return null;
  const title = (found.groups!.rest ?? '').trim().replace(/(?:^|[ \t])#+$/, '');
  return { level: found.groups!.marks!.length, title: title.trim() };
}

/** The heading that a paragraph is by a line of `=` or `-` below it: null when it is none. */
export function setextHeading(paragraph: string, below: string): Heading | null {
  const title = paragraph.trim().replace(/\s+/g, ' ');
  return title === '' || title.length > MAX_MARKER_CHARACTERS ? null : { level: below.includes('=') ? 1 : 2, title };
}

export function isUnderline(line: string): boolean {
  return line.length <= MAX_MARKER_CHARACTERS && /^ {0,3}(?:=+|-+)[ \t]*$/.test(line);
}

/** Lists, quotes, tables, HTML and indented code: no line of theirs is made a heading by what stands below. */
export function isParagraph(line: string): boolean {
  return !/^(?: {4}| {0,3}\t| {0,3}(?:[>|<]|[-*+](?:[ \t]|$)|\d{1,9}[.)](?:[ \t]|$)))/.test(line);
}

/** `---`, `***`, `_ _ _`. */
export function isRule(line: string): boolean {
  return line.length <= MAX_MARKER_CHARACTERS && /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/.test(line);
}

/** The mark that ends the block which a line begins and in which `#` heads nothing: null when it begins none. */
export function openedBlock(line: string): string | null {
  const fence = /^ {0,3}(?<marks>`{3,}(?=[^`]*$)|~{3,})/.exec(line.slice(0, MAX_MARKER_CHARACTERS));
  if (fence !== null) return fence.groups!.marks!;
  const html = /^ {0,3}<(?:(?<comment>!--)|(?<element>pre|script|style|textarea)(?:[\s>]|$))/i.exec(line);
  if (html === null) return null;
  const mark = html.groups!.comment === undefined ? `</${html.groups!.element!.toLowerCase()}>` : '-->';
  return endsBlock(line, mark) ? null : mark;
}

/** A fence is closed by a line of at least as many of its marks and nothing else, HTML wherever its mark stands. */
export function endsBlock(line: string, mark: string): boolean {
  if (!/^[`~]/.test(mark)) return line.toLowerCase().includes(mark);
  const closing = line.trim();
  return /^ {0,3}[`~]/.test(line) && closing.startsWith(mark) && closing === mark[0]!.repeat(closing.length);
}

const FRONT_MATTER = /^---[ \t]*\n(?=[^\n:]+:|\.\.\.|---)(?:[\s\S]*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|$)/;

/** Whether a file begins with YAML between two lines of `---`, its name and colon first: else the line is a rule. */
export function hasFrontMatter(beginning: string): boolean {
  return FRONT_MATTER.test(beginning);
}

export function endsFrontMatter(line: string): boolean {
  return line.length <= MAX_MARKER_CHARACTERS && /^(?:---|\.\.\.)[ \t]*$/.test(line);
}
