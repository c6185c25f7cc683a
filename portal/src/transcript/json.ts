const MAX_CHARACTERS = 1_000_000;
const MAX_INDENT = 32;
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},:]|[^\s[\]{},:"]+/gs;
const CLOSING: Record<string, string> = { '[': ']', '{': '}' };

/**
 * JSON on indented lines; null if the text is not an object or array in JSON, or very long. Numbers, repeated members and escapes stay as
 * they are written, which parsing would change.
 */
export function prettyJson(text: string): string | null {
  if (text.length > MAX_CHARACTERS || !/^\s*[[{]/.test(text) || !isJson(text)) return null;
  const tokens = text.match(TOKEN)!;
  const out: string[] = [];
  let depth = 0;
  const newLine = () => out.push('\n', '  '.repeat(Math.min(depth, MAX_INDENT)));
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index]!;
    const closing = CLOSING[token];
    if (closing !== undefined && tokens[index + 1] === closing) {
      out.push(token, closing);
      index += 1;
    } else if (closing !== undefined) {
      out.push(token);
      depth += 1;
      newLine();
    } else if (token === ']' || token === '}') {
      depth -= 1;
      newLine();
      out.push(token);
    } else {
      out.push(token === ':' ? ': ' : token);
      if (token === ',') newLine();
    }
  }
  return out.join('');
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A value in JSON on indented lines. */
export function valueText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  return prettyJson(text) ?? text;
}
