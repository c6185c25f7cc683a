/** Of a quoted value and of a comment only what has no `<`, so that every attempt ends where the next one begins. */
const ATTRIBUTE = /[a-z0-9=\-_#/:.&?%~\s]|"[^"<]*"|'[^'<]*'/.source;
const NAMED_TAG = String.raw`(?:\/?[a-z]|[:_])[\p{L}\p{N}:_.-]*(?:\/?|\s(?:${ATTRIBUTE})*)>`;
const DECLARATION = `(?:!d|\\?x)(?:${ATTRIBUTE})*>`;
const COMMENT = '!--[^<]*?-->';
/** With all that it holds, to its end or the text's. */
const SCRIPT = String.raw`(?:script|style)(?:\s(?:${ATTRIBUTE})*)?>[^]*?(?=<\/(?:script|style)[\s>]|$)`;
const ENTITY = String.raw`&(?:#(?:x[0-9a-f]+|[0-9]+)|[a-z:_][\p{L}\p{N}:_.-]*);`;

const MARKUP = new RegExp(`<(?:${[SCRIPT, NAMED_TAG, DECLARATION, COMMENT].join('|')})|${ENTITY}`, 'giu');

/** A text without what PostgreSQL's parser takes for tags and entities. Linear in the text's length. */
export function withoutMarkup(text: string): string {
  return text.replace(MARKUP, ' ');
}
