/** How much of a long text is shown at first. */
const MAX_CHARACTERS = 10_000;
const MAX_LINES = 300;

/** The beginning of a long text; the whole of another one. No character is halved. */
export function beginningOf(text: string): string {
  const lines = text.slice(0, MAX_CHARACTERS).split('\n', MAX_LINES).join('\n');
  if (lines.length === text.length) return text;
  return /[\ud800-\udbff]$/.test(lines) ? lines.slice(0, -1) : lines;
}

/** The first characters of a text in one line. */
export function lineOf(text: string, maximum = 120): string {
  // Four times as many: runs of spaces become one.
  const line = text
    .slice(0, maximum * 4)
    .replace(/\s+/g, ' ')
    .trim();
  const characters = Array.from(line);
  return (
    characters.length <= maximum && text.length <= maximum * 4 ? line : `${characters.slice(0, maximum).join('')}…`
  ).toWellFormed();
}
