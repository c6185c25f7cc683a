import type { RouteAnswer } from './route.ts';

/** Characters that are written at once. */
const SLICE = 64 * 1024;

/**
 * An answer whose list goes out in slices: its texts are JSON already, and its other items become
 * JSON one by one.
 */
export function listAnswer<Name extends string>(name: Name, answer: Record<Name, unknown[]>): RouteAnswer {
  return { status: 200, stream: { contentType: 'application/json', chunks: slicesOf(name, answer) } };
}

async function* slicesOf<Name extends string>(
  name: Name,
  { [name]: items, ...others }: Record<Name, unknown[]>,
): AsyncGenerator<string> {
  const [head, tail] = [`{${JSON.stringify(name)}:[`, JSON.stringify(others).slice(1)];
  let slice = head;
  for (const [at, item] of items.entries()) {
    slice += `${at === 0 ? '' : ','}${typeof item === 'string' ? item : JSON.stringify(item)}`;
    if (slice.length < SLICE) continue;
    yield slice;
    slice = '';
  }
  yield `${slice}]${tail === '}' ? '' : ','}${tail}`;
}
