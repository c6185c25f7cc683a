import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { t } from '../../language/index.ts';
import { isPicture, linkAddress, shownAddress } from './addresses.ts';
import { entitiesDecoded } from './entities.ts';

export const PLAIN_TAGS = [
  ...(['p', 'ul', 'ol', 'li', 'blockquote', 'hr', 'br', 'em', 'strong', 'del', 'code'] as const),
  ...(['table', 'thead', 'tbody', 'tr', 'th', 'td'] as const),
] as const;

interface PlainNode {
  tag: (typeof PLAIN_TAGS)[number];
  children: MarkdownNode[];
  /** The number of the first item of an `ol`. */
  start?: number | undefined;
  /** The alignment of a cell. */
  align?: 'left' | 'center' | 'right' | null;
}

/** All that a text in Markdown becomes: texts, and elements of these kinds. */
export type MarkdownNode =
  | string
  | PlainNode
  | { tag: 'heading'; level: number; children: MarkdownNode[] }
  | { tag: 'codeBlock'; language: string | null; text: string }
  | { tag: 'picture'; source: string; label: string }
  /** `shown` is the address, unless the children already are. */
  | { tag: 'link'; address: string; shown: string | null; children: MarkdownNode[] };

/*
 * Some constructs take marked quadratic time. Within these limits a hostile text takes it at most half a second, a plain
 * one milliseconds.
 */
const MAX_CHARACTERS = 40_000;
const MAX_LINES = 2_000;
const MAX_RUN = 10_000;
const MAX_DELIMITERS = 400;
const DELIMITER = /[*_~!`]/g;
const NESTED_MARKERS = /^(?:[ \t]*(?:>|[-+*]|\d{1,9}[.)])){11}/m;
const MAX_DEPTH = 20;

/** Leaves a run of text as it is if its emphasis would take long to find. */
class BoundedLexer extends Lexer {
  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    const isSimple = source.length <= MAX_RUN && (source.match(DELIMITER)?.length ?? 0) <= MAX_DELIMITERS;
    if (isSimple) return super.inlineTokens(source, tokens);
    tokens.push({ type: 'text', raw: source, text: source });
    return tokens;
  }
}

/** The elements of a text in Markdown (GFM). HTML stays text. Null: too long or too nested, to be shown as plain text. */
export function parseMarkdown(text: string): MarkdownNode[] | null {
  if (text.length > MAX_CHARACTERS || NESTED_MARKERS.test(text)) return null;
  if (text.split('\n', MAX_LINES + 1).length > MAX_LINES) return null;
  try {
    return nodesOf(new BoundedLexer({ gfm: true }).lex(text), 0);
  } catch (error) {
    // Nested lists and quotes are recursions of the lexer.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function nodesOf(tokens: readonly Token[] | undefined, depth: number): MarkdownNode[] {
  if (depth > MAX_DEPTH) return [(tokens ?? []).map(({ raw }) => raw).join('')];
  return (tokens as MarkedToken[] | undefined)?.flatMap((token) => nodeOf(token, depth + 1)) ?? [];
}

function nodeOf(token: MarkedToken, depth: number): MarkdownNode | MarkdownNode[] {
  const inner = () => nodesOf('tokens' in token ? token.tokens : [], depth);
  switch (token.type) {
    case 'space':
      return [];
    case 'paragraph':
      return { tag: 'p', children: inner() };
    case 'heading':
      return { tag: 'heading', level: token.depth, children: inner() };
    case 'blockquote':
    case 'em':
    case 'strong':
    case 'del':
      return { tag: token.type, children: inner() };
    case 'hr':
    case 'br':
      return { tag: token.type, children: [] };
    case 'code':
      return { tag: 'codeBlock', language: token.lang?.split(/\s/)[0] || null, text: token.text };
    case 'codespan':
      return { tag: 'code', children: [token.text] };
    case 'list':
      return listOf(token, depth);
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ ';
    case 'table':
      return tableOf(token, depth);
    case 'link':
      return linkOf(token.href, inner());
    case 'image':
      return imageOf(token);
    case 'escape':
      return token.text;
    case 'text':
      if (token.tokens) return inner();
      // Only a text that marked would escape has character references: an address has none.
      return token.escaped === false ? entitiesDecoded(token.text) : token.text;
    case 'html':
      return token.block ? { tag: 'p', children: [token.raw.trimEnd()] } : token.raw;
    default:
      return { tag: 'p', children: [token.raw.trimEnd()] };
  }
}

function listOf({ ordered, start, items }: Tokens.List, depth: number): MarkdownNode {
  const children = items.map((item): MarkdownNode => ({ tag: 'li', children: nodesOf(item.tokens, depth) }));
  return ordered ? { tag: 'ol', start: Number(start), children } : { tag: 'ul', children };
}

function tableOf({ header, rows }: Tokens.Table, depth: number): MarkdownNode {
  const row = (tag: 'th' | 'td', cells: Tokens.TableCell[]): MarkdownNode => ({
    tag: 'tr',
    children: cells.map(({ align, tokens }) => ({ tag, align, children: nodesOf(tokens, depth) })),
  });
  const head: MarkdownNode = { tag: 'thead', children: [row('th', header)] };
  const body: MarkdownNode = { tag: 'tbody', children: rows.map((cells) => row('td', cells)) };
  return { tag: 'table', children: rows.length === 0 ? [head] : [head, body] };
}

function linkOf(href: string, children: MarkdownNode[]): MarkdownNode | MarkdownNode[] {
  const text = textOf(children);
  const address = linkAddress(href);
  if (address === null) return text === href ? text : [...children, ` (${shownAddress(href)})`];
  const isShown = [address, shownAddress(address), address.replace(/\/$/, '')].includes(text);
  return { tag: 'link', address, shown: isShown ? null : shownAddress(address), children: withoutLinks(children) };
}

/** A link or a picture within a link is its text. */
function withoutLinks(nodes: MarkdownNode[]): MarkdownNode[] {
  return nodes.flatMap((node): MarkdownNode[] => {
    if (typeof node === 'string' || node.tag === 'codeBlock') return [node];
    if (node.tag === 'picture') return [node.label];
    const children = withoutLinks(node.children);
    return node.tag === 'link' ? children : [{ ...node, children }];
  });
}

function imageOf({ href, text }: Tokens.Image): MarkdownNode | MarkdownNode[] {
  const label = text || t('image');
  if (isPicture(href)) return { tag: 'picture', source: href, label };
  return linkOf(href, [t('Image: {label}', { label })]);
}

export function textOf(nodes: readonly MarkdownNode[]): string {
  return nodes
    .map((node) => {
      if (typeof node === 'string') return node;
      if (node.tag === 'codeBlock') return node.text;
      return node.tag === 'picture' ? node.label : textOf(node.children);
    })
    .join('');
}
