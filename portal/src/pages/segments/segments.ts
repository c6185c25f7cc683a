import { api } from '../../api/client.ts';
import { queryClient } from '../../api/session.ts';
import { SEGMENTS } from '../../question/known-segments.ts';

const ANSWERS = ['/portal/aggregate', '/explain', '/events/query'];

/** For a form, which begins with what is stored, not with what an earlier visit has read. */
export function segmentQuery(name: string) {
  return api.queryOptions('get', `${SEGMENTS}/{name}`, { params: { path: { name } } }, { gcTime: 0 });
}

/** After a change: lists and answers to questions with the segment are out of date. */
export async function forgetSegments(): Promise<void> {
  await queryClient.invalidateQueries({
    predicate: ({ queryKey: [, path] }) => {
      const asked = String(path);
      return asked.startsWith(SEGMENTS) || ANSWERS.some((end) => asked.endsWith(end));
    },
  });
}
