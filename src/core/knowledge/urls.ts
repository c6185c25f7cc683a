/** Scripts without spaces or with particles: these characters after an address are text. */
const ADJOINING = String.raw`[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]`;
const CHARACTER = String.raw`[[\p{L}\p{M}\p{N}\-.~:\/?#@!$&'*+,;=%\(\)\[\]_]--${ADJOINING}]`;
const INSIDE_A_WORD = String.raw`(?<=[[\p{L}\p{N}_]--${ADJOINING}])`;
const START = String.raw`(?:(?:https?|ftp):\/\/|www\.)(?=[\p{L}\p{N}\[])`;

const ADDRESS = new RegExp(`(?!${INSIDE_A_WORD})${START}${CHARACTER}+`, 'giv');
const IN_ANGLE_BRACKETS = new RegExp(String.raw`<${START}[^\s<>]*>`, 'giv');

const TARGET = String.raw`<?${START}[^\(\)\s<>]*(?:\([^\(\)\s<>]*\)[^\(\)\s<>]*)*>?`;
const TITLE = String.raw`(?:\s+(?:"[^"\n]*"|'[^'\n]*'))?`;
const LINK_PART = new RegExp(String.raw`(?<open>!?\[)|(?<target>\]\(\s*${TARGET}${TITLE}\s*\))|\]`, 'giv');

const PUNCTUATION = new Set(`.,;:!?'*_~`);
const OPENING: Record<string, string> = { ')': '(', ']': '[' };

/** Keeps link texts, punctuation after an address and brackets around it. Linear in the length. */
export function withoutUrls(text: string): string {
  if (!/:\/\/|www\./i.test(text)) return text;
  return withoutLinkTargets(text)
    .replace(IN_ANGLE_BRACKETS, '')
    .replace(ADDRESS, (address) => address.slice(lengthWithoutPunctuation(address)));
}

/** One pass with a stack: links can contain images, and unbalanced brackets are text. */
function withoutLinkTargets(text: string): string {
  const openings: RegExpExecArray[] = [];
  const cuts: [start: number, end: number][] = [];
  for (const match of text.matchAll(LINK_PART)) {
    if (match.groups!.open !== undefined) {
      openings.push(match);
      continue;
    }
    const opening = openings.pop();
    if (match.groups!.target === undefined || opening === undefined) continue;
    cuts.push([opening.index, opening.index + opening[0].length], [match.index, match.index + match[0].length]);
  }
  return without(text, cuts);
}

function without(text: string, cuts: [start: number, end: number][]): string {
  let kept = '';
  let from = 0;
  for (const [start, end] of cuts.sort(([one], [other]) => one - other)) {
    kept += text.slice(from, start);
    from = end;
  }
  return kept + text.slice(from);
}

/** A closing bracket belongs to the address if it is opened there: `…/wiki/Ok_(word)`. */
function lengthWithoutPunctuation(address: string): number {
  const counts = new Map<string, number>();
  for (const character of address) counts.set(character, (counts.get(character) ?? 0) + 1);
  let length = address.length;
  for (; length > 0; length--) {
    const last = address[length - 1]!;
    const opening = OPENING[last];
    const isUnopened = opening !== undefined && counts.get(last)! > (counts.get(opening) ?? 0);
    if (!isUnopened && !PUNCTUATION.has(last)) break;
    counts.set(last, counts.get(last)! - 1);
  }
  return length;
}
