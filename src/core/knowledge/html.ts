import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { raised } from './scripts.ts';

const ELEMENTS = new Set(
  `a abbr acronym address area article aside audio b base bdi bdo big blockquote body br button canvas caption center
  cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset figcaption figure font
  footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li
  link main map mark math menu meta meter nav nobr noscript object ol optgroup option output p param picture pre
  progress q rp rt ruby s samp script search section select slot small source span strike strong style sub summary sup
  svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr`.split(/\s+/),
);

const PARAGRAPHS = new Set(
  `address article aside blockquote body details dialog dl fieldset figure footer form h1 h2 h3 h4 h5 h6 head header hr
  main nav ol p pre section table ul`.split(/\s+/),
);
const LINES = new Set(
  'br caption center dd div dt figcaption legend li menu option script style summary textarea title tr'.split(' '),
);
const CELLS = new Set(['td', 'th']);

const UNREAD = new Set(['script', 'style']);
/** Unclosed, these would swallow the rest of the text. */
const NEED_AN_END = new Set(['script', 'style', 'title', 'textarea', 'iframe']);

/** A quoted value contains no start of a tag, so a match ends at the next tag: linear time. */
const QUOTED = String.raw`"(?:[^"<]|<(?![a-z\/!?]))*"|'(?:[^'<]|<(?![a-z\/!?]))*'`;
const VALUED = String.raw`[^\s"'<>\/=]+\s*=\s*(?:${QUOTED}|[^\s"'<>]+)`;
/** Other attributes without a value are words: `a <b and c> d`. */
const VALUELESS =
  'allowfullscreen|async|autofocus|autoplay|checked|controls|default|defer|disabled|hidden|ismap|itemscope|loop|multiple|muted|nomodule|noshade|novalidate|nowrap|open|readonly|required|reversed|selected';
const NAME = '[a-z][a-z0-9]*(?:[:-][a-z0-9]+)*';

const TAG = String.raw`<(?<name>${NAME})(?<attributes>(?:\s+(?:${VALUED}|(?:${VALUELESS})(?=[\s\/>])))*)\s*(?<closed>\/?)>`;
const END_TAG = String.raw`<\/${NAME}\s*>`;
const COMMENT = '(?<comment><!--)';
const DECLARATION = String.raw`<!doctype(?:\s[^<>]*)?>|<\?[a-z][^<>]*\?>|<!\[(?:end)?if[^<>]*\]>`;
/** Without the semicolon it is more likely part of an address: `?a=1&copy=2`. */
const ENTITY = '&(?:#(?:x[0-9a-f]{1,8}|[0-9]{1,9})|[a-z][a-z0-9]{1,31});';

const CANDIDATE = new RegExp([TAG, END_TAG, COMMENT, DECLARATION, ENTITY, '[<&]'].join('|'), 'gi');
const END_TAGS = new RegExp(END_TAG, 'gi');

/** Removes markup and decodes entities; `a < b` and `List<String>` stay. Linear time. */
export function withoutHtml(text: string): string {
  if (!/[<&]/.test(text)) return text;
  const source = text.includes('<![CDATA[') ? text.replaceAll('<![CDATA[', '').replaceAll(']]>', '') : text;
  const escaped = escapeWhatIsNoMarkup(source);
  return escaped === null ? source : read(escaped);
}

/** Null without markup. */
function escapeWhatIsNoMarkup(text: string): string | null {
  const lastEnds = lastEndTags(text);
  const lastCommentEnd = text.lastIndexOf('-->');
  let hasMarkup = false;
  const escaped = text.replace(CANDIDATE, (match, ...rest) => {
    const { name, attributes, closed, comment } = rest.at(-1) as Record<string, string | undefined>;
    const offset = rest.at(-3) as number;
    const isMarkup =
      match.length > 1 &&
      (comment === undefined || lastCommentEnd >= offset + 2) &&
      (name === undefined || isTag(name, `${attributes}${closed}`, text[offset - 1], lastEnds, offset));
    hasMarkup ||= isMarkup;
    return isMarkup ? match : `${match[0] === '<' ? '&lt;' : '&amp;'}${match.slice(1)}`;
  });
  return hasMarkup ? escaped : null;
}

function lastEndTags(text: string): Map<string, number> {
  const ends = new Map<string, number>();
  for (const { 0: tag, index } of text.matchAll(END_TAGS)) ends.set(tag.slice(2, -1).trimEnd().toLowerCase(), index);
  return ends;
}

function isTag(
  name: string,
  attributes: string,
  before: string | undefined,
  lastEnds: Map<string, number>,
  offset: number,
): boolean {
  const element = name.toLowerCase();
  if ((lastEnds.get(element) ?? -1) > offset) return true;
  if (NEED_AN_END.has(element)) return false;
  if (attributes !== '') return true;
  const isTypeParameter = /^[A-Z](?![A-Z])/.test(name) && before !== undefined && /\w/.test(before);
  return ELEMENTS.has(element) && !isTypeParameter;
}

function read(html: string): string {
  let text = '';
  let due = '';
  let last = '';
  let unread = false;
  /** Raised or lowered text under way. */
  let script: { element: string; text: string } | null = null;

  const append = (piece: string): void => {
    if (text !== '') text += due;
    due = '';
    text += piece;
    last = piece.at(-1) ?? last;
  };
  const add = (piece: string): void => {
    if (unread || (due !== '' && piece.trim() === '')) return;
    if (script === null) append(piece);
    else script.text += piece;
  };
  const endScript = (): void => {
    if (script === null) return;
    const { element, text: scripted } = script;
    script = null;
    append(raised(element === 'sup' ? 'superscript' : 'subscript', scripted, last));
  };
  const breakAt = (element: string): void => {
    const wanted = PARAGRAPHS.has(element) ? '\n\n' : LINES.has(element) ? '\n' : CELLS.has(element) ? '\t' : '';
    const isStronger = due === '' || due === '\t' || wanted.length > due.length;
    if (wanted !== '' && isStronger) due = wanted;
  };
  const callbacks: TokenizerCallbacks = {
    ...IGNORED,
    ontext: (start, end) => add(html.slice(start, end)),
    ontextentity: (codePoint) => add(String.fromCodePoint(codePoint)),
    onopentagname: (start, end) => {
      const element = html.slice(start, end).toLowerCase();
      unread = UNREAD.has(element);
      breakAt(element);
      if (element !== 'sup' && element !== 'sub') return;
      endScript();
      script = { element, text: '' };
    },
    onclosetag: (start, end) => {
      unread = false;
      const element = html.slice(start, end).toLowerCase();
      breakAt(element);
      if (element === script?.element) endScript();
    },
  };
  const tokenizer = new Tokenizer({}, callbacks);
  tokenizer.write(html);
  tokenizer.end();
  endScript();
  return text;
}

const ignore = (): void => {};

const IGNORED: Omit<TokenizerCallbacks, 'ontext' | 'ontextentity' | 'onopentagname' | 'onclosetag'> = {
  onattribdata: ignore,
  onattribentity: ignore,
  onattribend: ignore,
  onattribname: ignore,
  oncdata: ignore,
  oncomment: ignore,
  ondeclaration: ignore,
  onend: ignore,
  onopentagend: ignore,
  onprocessinginstruction: ignore,
  onselfclosingtag: ignore,
};
