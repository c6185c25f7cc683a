/** A `<` ends quoted values and comments, which keeps the matching linear. */
const ATTRIBUTE = /[a-z0-9=\-_#/:.&?%~\s]|"[^"<]*"|'[^'<]*'/.source;
const NAMED_TAG = String.raw`(?:\/?[a-z]|[:_])[\p{L}\p{N}:_.-]*(?:\/?|\s(?:${ATTRIBUTE})*)>`;
const DECLARATION = `(?:!d|\\?x)(?:${ATTRIBUTE})*>`;
const COMMENT = '!--[^<]*?-->';
/** With its content, to its closing tag or the end of the text. */
const SCRIPT = String.raw`(?:script|style)(?:\s(?:${ATTRIBUTE})*)?>[^]*?(?=<\/(?:script|style)[\s>]|$)`;
const ENTITY = String.raw`&(?:#(?:x[0-9a-f]+|[0-9]+)|[a-z:_][\p{L}\p{N}:_.-]*);`;

const MARKUP = new RegExp(`<(?:${[SCRIPT, NAMED_TAG, DECLARATION, COMMENT].join('|')})|${ENTITY}`, 'giu');

/** Removes what PostgreSQL's parser takes for tags and entities, in linear time. */
export function withoutMarkup(text: string): string {
  return text.replace(MARKUP, ' ');
}
