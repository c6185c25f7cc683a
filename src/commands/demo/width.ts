const NARROWEST = 40;
/** Without a terminal. */
const DEFAULT = 120;

/** Columns of the terminal. */
export function terminalWidth(): number {
  return Math.max(process.stdout.columns ?? DEFAULT, NARROWEST);
}

/** Breaks lines between words; what is broken off has the indent of its line. */
export function wrapped(text: string, width = terminalWidth()): string {
  return text
    .split('\n')
    .map((line) => wrappedLine(line, width))
    .join('\n');
}

function wrappedLine(line: string, width: number): string {
  if (line.length <= width) return line;
  const [indent = ''] = /^ */.exec(line) ?? [];
  const lines: string[] = [];
  let current = '';
  for (const word of line.trim().split(' ')) {
    const longer = current === '' ? indent + word : `${current} ${word}`;
    if (current !== '' && longer.length > width) {
      lines.push(current);
      current = indent + word;
    } else {
      current = longer;
    }
  }
  return [...lines, current].join('\n');
}

/** Lines of a table. Where one is too wide, all lose their bars. */
export function fitted(lines: string[], width = terminalWidth()): string[] {
  if (lines.every((line) => line.length <= width)) return lines;
  return lines.map((line) => line.replace(/ +█+$/, ''));
}
