import { keepPreviousData } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api, type Schemas } from '../../../api/client.ts';
import { SEARCH } from '../knowledge.ts';
import { filterOf } from '../state.ts';

const route = getRouteApi('/shell/knowledge/$store');

/** The answer to the search in the address. Parts of the page that ask share it. */
export function useAnswer() {
  const { store: name } = route.useParams();
  const { query, filter: text } = route.useSearch();
  const given = filterOf(text);
  const filter = 'filter' in given ? (given.filter as Schemas['Search']['filter']) : undefined;
  return api.useQuery(
    'post',
    SEARCH,
    { params: { path: { name } }, body: { query: query ?? '', ...(filter && { filter }) } },
    { enabled: query !== undefined && 'filter' in given, placeholderData: keepPreviousData },
  );
}
