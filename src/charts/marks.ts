export type Attributes = Readonly<Record<string, string | number>>;

/**
 * One SVG element as data: text for REST and PNG, React elements in the portal, DOM nodes in the
 * MCP App.
 */
export type Mark = readonly [tag: string, attributes: Attributes, ...children: (Mark | string)[]];

export function rounded(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}

/** One line of text; `y` is its baseline. */
export function textMark(x: number, y: number, text: string, attributes: Attributes): Mark {
  return ['text', { x: rounded(x), y: rounded(y), ...attributes }, text];
}

export function rectMark(x: number, y: number, width: number, height: number, attributes: Attributes): Mark {
  const size = { x: rounded(x), y: rounded(y), width: rounded(width), height: rounded(height) };
  return ['rect', { ...size, ...attributes }];
}

/** XML allows neither control characters nor lone surrogates. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds them to replace them
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** The XML of a mark. Every text and attribute is escaped. */
export function svgText([tag, attributes, ...children]: Mark): string {
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escaped(value)}"`);
  const within = children.map((child) => (typeof child === 'string' ? escaped(child) : svgText(child)));
  return `<${tag}${written.join('')}>${within.join('')}</${tag}>`;
}

/** Needs no escaping: most texts, all paths. */
const HARMLESS = /^[ !#-%(-;=?-~]*$/;

function escaped(value: string | number): string {
  const text = String(value);
  if (HARMLESS.test(text)) return text;
  return text
    .toWellFormed()
    .replace(FORBIDDEN, '\ufffd')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
