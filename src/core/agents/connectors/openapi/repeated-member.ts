import { endOfString } from '../call/exact-json.ts';

const COLON = 0x3a;

/** The first repeated member of valid JSON; `JSON.parse` silently keeps the last. */
export function repeatedMember(text: string): { name: string; line: number } | null {
  const open: Set<string>[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '{') open.push(new Set());
    else if (character === '}') open.pop();
    else if (character === '"') {
      const end = endOfString(text, at) + 1;
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

function isMemberName(text: string, end: number): boolean {
  let at = end;
  while (text.charCodeAt(at) <= 0x20) at++;
  return text.charCodeAt(at) === COLON;
}
