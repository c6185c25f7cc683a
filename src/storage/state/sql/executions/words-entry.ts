import { unpackedContent } from './body.ts';
import { textTerms } from './terms.ts';

/* The entry of threads that find the words of contents. */

export interface WordsTask {
  contents: { tenantId: string; body: Uint8Array }[];
}

/** Members that name a role, a kind or a call. */
const MEMBERS_LEFT_OUT = new Set(['role', 'type', 'id', 'tool_call_id', 'detail']);
/** Characters that a search finds. */
const SEARCHED = 200_000;
/** Images and files; `data: 12/03` is a date in Portuguese. */
const DATA_URI = /^data:(?:[a-z]+\/[\w.+-]+)?[;,]/;

/** The terms of each content. */
export default function terms({ contents }: WordsTask): Promise<string[][]> {
  return Promise.all(contents.map(async ({ tenantId, body }) => textTerms(tenantId, await textOf(body))));
}

async function textOf(body: Uint8Array): Promise<string> {
  const { messages, output } = await unpackedContent(body);
  const texts: string[] = [];
  let left = SEARCHED;
  for (const text of textsIn([JSON.parse(messages), JSON.parse(output)])) {
    texts.push(text.slice(0, left));
    left -= text.length;
    if (left <= 0) break;
  }
  return texts.join('\n');
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') {
    if (!DATA_URI.test(value)) yield value;
  } else if (typeof value === 'number') {
    yield String(value);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) if (!MEMBERS_LEFT_OUT.has(name)) yield* textsIn(member);
  }
}
