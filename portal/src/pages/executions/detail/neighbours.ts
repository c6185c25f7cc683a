import { useQuery } from '@tanstack/react-query';
import { answerOf, client } from '../../../api/client.ts';
import { useAgent } from '../../../shell/remembered.ts';
import { EXECUTIONS } from '../executions.ts';
import { afterNext, afterPrevious, type ListSearch, listText, queryOf } from '../list/state.ts';

/** An execution in a list. */
interface Place {
  id: string;
  /** The page of the list that it is on, as `listText` writes it. */
  list: string;
}

/** The executions before and after one in the list that it was opened from. */
export function useNeighbours(id: string, list: ListSearch | null): { previous?: Place; next?: Place } {
  const after = list?.after;
  const page = usePage(list);
  const at = page?.places.findIndex((place) => place.id === id) ?? -1;
  const before = usePage(at === 0 && after !== undefined ? { ...list, after: afterPrevious(after) } : null);
  // Since the list was read, new rows may have moved it to the next page.
  const isAtEnd = page?.nextCursor != null && (at === -1 || at === page.places.length - 1);
  const behind = usePage(isAtEnd ? { ...list, after: afterNext(after, page.nextCursor!) } : null);
  const places = [before, page, behind].flatMap((one) => one?.places ?? []);
  const index = places.findIndex((place) => place.id === id);
  const [previous, next] = index === -1 ? [] : [places[index - 1], places[index + 1]];
  return { ...(previous && { previous }), ...(next && { next }) };
}

/** A page as it was when it was read first: whoever goes through it does not lose the place when a review changes it. */
function usePage(search: ListSearch | null) {
  const query = queryOf(search ?? {}, useAgent());
  const { data } = useQuery({
    queryKey: ['gone through', query],
    queryFn: ({ signal }) => answerOf(client.GET(EXECUTIONS, { params: { query }, signal })),
    enabled: search !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (search === null || data === undefined) return undefined;
  const list = listText(search);
  return { nextCursor: data.nextCursor, places: data.executions.map(({ id }): Place => ({ id, list })) };
}
