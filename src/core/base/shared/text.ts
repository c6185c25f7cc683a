export function alignedTable(header: string[], rows: string[][], align: ('left' | 'right')[] = []): string[] {
  const all = [header, ...rows];
  const widths = header.map((_, index) => Math.max(...all.map((row) => lengthOf(row[index] ?? ''))));
  return all.map((row) =>
    header
      .map((_, index) => padded(row[index] ?? '', widths[index] ?? 0, align[index] ?? 'left'))
      .join('  ')
      .trimEnd(),
  );
}

function padded(cell: string, width: number, align: 'left' | 'right'): string {
  const blanks = ' '.repeat(width - lengthOf(cell));
  return align === 'right' ? blanks + cell : cell + blanks;
}

/** Line breaks and control characters become blanks; bidirectional marks are removed. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');
}

/** Null where the text has a percent sign that begins no UTF-8 character. */
export function percentDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** In graphemes, so that accents and emoji do not shift the columns. */
function lengthOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return [...segmenter.segment(text)].length;
}

let segmenter: Intl.Segmenter | undefined;

const BLOCKS = '▁▂▃▄▅▆▇█';

export function sparkline(values: (number | null)[]): string {
  const known = values.filter((value) => value !== null);
  // Halves, because the difference of two numbers can overflow.
  const low = Math.min(...known) / 2;
  const span = Math.max(...known) / 2 - low;
  const block = (value: number) => BLOCKS[span === 0 ? 0 : Math.round(((value / 2 - low) / span) * 7)] ?? '';
  return values.map((value) => (value === null ? '·' : block(value))).join('');
}

export function bar(value: number | null, largest: number, width = 20): string {
  if (value === null || largest <= 0 || value <= 0) return '';
  return '█'.repeat(Math.max(1, Math.round((value / largest) * width)));
}

export function counted(count: number, what: string, several = `${what}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? what : several}`;
}

/** In steps of 1,024. */
export function formatBytes(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  const step = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1);
  const value = bytes / 1024 ** step;
  return `${value.toFixed(step === 0 || value >= 100 ? 0 : 1)} ${units[step]}`;
}

/** The domain of an e-mail address, in lower case. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}

/** With a capital and a full stop. */
export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}
