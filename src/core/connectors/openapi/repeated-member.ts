const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/**
 * The first member that an object of a JSON text has twice, and its line; null where there is none. `JSON.parse` keeps
 * the last of them and says nothing. The text must be JSON: it has been parsed.
 */
export function repeatedMember(text: string): { name: string; line: number } | null {
  const open: Set<string>[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '{') open.push(new Set());
    else if (character === '}') open.pop();
    else if (character === '"') {
      const end = endOfString(text, at);
      if (isMemberName(text, end)) {
        const name = JSON.parse(text.slice(at, end)) as string;
        const names = open.at(-1)!;
        if (names.has(name)) return { name, line: text.slice(0, at).split('\n').length };
        names.add(name);
      }
      at = end - 1;
    }
  }
  return null;
}

/** Behind the quotation mark that closes the string which begins at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at + 1;
}

function isMemberName(text: string, end: number): boolean {
  let at = end;
  while (text.charCodeAt(at) <= 0x20) at++;
  return text.charCodeAt(at) === COLON;
}
