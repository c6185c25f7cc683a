import { api } from '../../api/client.ts';
import { invalidate } from '../../api/session.ts';
import { isAnswer } from '../../question/answers.ts';
import { SEGMENTS } from '../../question/known-segments.ts';

/** For a form, which begins with what is stored, not with what an earlier visit has read. */
export function segmentQuery(name: string) {
  return api.queryOptions('get', `${SEGMENTS}/{name}`, { params: { path: { name } } }, { gcTime: 0 });
}

/** After a change: lists, and answers to questions. */
export const invalidateSegments = () => invalidate((path) => path.startsWith(SEGMENTS) || isAnswer(path));
