/** The first error of a JSON text, at its line. */
export interface JsonFault {
  line: number;
  message: string;
}

const TOKEN = /\s+|"(?:[^"\\\n]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+|"/gy;

interface Open {
  path: string;
  /** The next index of an array; null in an object. */
  index: number | null;
  name: string;
}

/** The line of each member of a valid JSON text, by its path as the server names it: `resources.list.path`. */
export function linesOfMembers(text: string): Map<string, number> {
  const lines = new Map<string, number>();
  const open: Open[] = [];
  let line = 1;
  let last = '';
  const childOf = ({ path, index, name }: Open) =>
    index === null ? (path === '' ? name : `${path}.${name}`) : `${path}[${index}]`;
  for (const [token] of text.matchAll(TOKEN)) {
    if (/^\s/.test(token)) {
      line += token.split('\n').length - 1;
      continue;
    }
    const holder = open.at(-1);
    if (token === ':' && holder) {
      holder.name = JSON.parse(last) as string;
      lines.set(childOf(holder), line);
    } else if (token === ',' && holder && holder.index !== null) holder.index += 1;
    else if (token === '}' || token === ']') open.pop();
    else if (holder && holder.index !== null && !lines.has(childOf(holder))) lines.set(childOf(holder), line);
    if (token === '{' || token === '[') {
      open.push({ path: holder ? childOf(holder) : '', index: token === '[' ? 0 : null, name: '' });
    }
    last = token;
  }
  return lines;
}

/** The line of a member, or of the nearest one around it; 1 for the whole text. */
export function lineOfPath(path: string, lines: ReadonlyMap<string, number>): number {
  for (let rest = path; rest !== ''; rest = rest.replace(/(^|\.)[^.[\]]+$|\[[^[\]]*\]$/, '')) {
    const line = lines.get(rest);
    if (line !== undefined) return line;
    if (!/[.[]/.test(rest)) break;
  }
  return 1;
}

/** Browsers name the line or the position of an error, each in its own words. */
export function jsonFault(text: string, error: unknown): JsonFault {
  const message = error instanceof Error ? error.message : String(error);
  const named = /\bline (\d+)/.exec(message);
  const position = /\bposition (\d+)/.exec(message);
  const end = position ? Number(position[1]) : text.length;
  return { line: named ? Number(named[1]) : text.slice(0, end).split('\n').length, message };
}
