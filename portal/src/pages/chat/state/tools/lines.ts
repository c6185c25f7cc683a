export type JsonPath = readonly (string | number)[];

const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/gs;
/** No step of a path has it. */
const ELSEWHERE = -1;

/** The line, from 1, of the value at a path in a text that is JSON; without one, of the nearest value around it. */
export function lineOfPath(text: string, path: JsonPath): number {
  const tokens = [...text.matchAll(TOKEN)];
  let next = 0;
  let offset = 0;
  const passes = (token: string) => {
    const isNext = tokens[next]?.[0] === token;
    if (isNext) next += 1;
    return isNext;
  };
  /** `depth`: how many steps of the path lead to the value. */
  const read = (depth: number) => {
    const { 0: token, index } = tokens[next++]!;
    if (depth !== ELSEWHERE) offset = index;
    const depthOf = (step: string | number) => (path[depth] === step ? depth + 1 : ELSEWHERE);
    if (token === '[') {
      for (let item = 0; !passes(']'); item += 1) {
        read(depthOf(item));
        passes(',');
      }
    }
    while (token === '{' && !passes('}')) {
      const key = JSON.parse(tokens[next]![0]) as string;
      // The key and its colon.
      next += 2;
      read(depthOf(key));
      passes(',');
    }
  };
  read(0);
  return lineAt(text, offset);
}

/** The line in which a text stops being JSON, as the parser says. */
export function lineOfFault(text: string, error: unknown): number {
  const position = error instanceof Error ? /position (\d+)/.exec(error.message)?.[1] : undefined;
  return lineAt(text, position === undefined ? text.trimEnd().length : Number(position));
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
